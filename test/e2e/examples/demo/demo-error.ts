/** A failure that the person at the terminal can do something about; the message says what. */
export class DemoError extends Error {
  override name = 'DemoError'
}
