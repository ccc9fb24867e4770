/** A command that cannot be executed. The operator sees the message without a stack. */
export class AdminError extends Error {
  override name = 'AdminError'
}
