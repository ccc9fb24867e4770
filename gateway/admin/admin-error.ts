/** What the operator is told, without a stack: a command that cannot be followed. */
export class AdminError extends Error {
  override name = 'AdminError'
}
