/** Longer than V8's compilations on other threads take. */
const SETTLE_MS = 100

/**
 * Ends the program after a moment. A program that ends at once, by `process.exit` or because no work is left, may hang for
 * ever. Node waits for the threads that compile, and they may wait for the main thread to collect garbage
 * (nodejs/node#54918). They finish while the event loop rests.
 *
 * @param code Exit code of the process.
 */
export function exitProcess(code: number): void {
  process.exitCode = code
  setTimeout(() => process.exit(), SETTLE_MS)
}
