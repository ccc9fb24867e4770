/** A command that cannot be carried out; the message says why. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly status: 400 | 404 | 409

  constructor(status: 400 | 404 | 409, message: string) {
    super(message)
    this.status = status
  }
}
