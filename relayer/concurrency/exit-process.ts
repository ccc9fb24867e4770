/** Longer than V8 takes for what it compiles on other threads. */
const SETTLE_MS = 100

/**
 * Ends the program a moment from now. A program that ends at once, by `process.exit` or because nothing is left to do, may
 * hang for ever: Node waits for the threads that compile, and they may wait for the main thread to collect garbage
 * (nodejs/node#54918). While the event loop rests, they finish.
 *
 * @param code Exit code of the process.
 */
export function exitProcess(code: number): void {
  process.exitCode = code
  setTimeout(() => process.exit(), SETTLE_MS)
}
