/** A timer may fire a little early; that counts as the time that it was meant for. */
const EARLY_MS = 4

/**
 * Milliseconds until the next time that is a multiple of `everyMs` in this process. Whatever looks for work at even times wakes
 * the process together with the others, and their questions share a statement (db/ask-in-one-statement.ts).
 */
export function untilEvenTime(everyMs: number): number {
  const left = everyMs - (performance.now() % everyMs)
  return Math.ceil(left < Math.min(EARLY_MS, everyMs / 4) ? left + everyMs : left)
}

/**
 * Calls `work` at even times.
 * @returns Ends that.
 */
export function startClock(everyMs: number, work: () => void): () => void {
  let timer: NodeJS.Timeout
  const arm = () => {
    timer = setTimeout(() => {
      arm()
      work()
    }, untilEvenTime(everyMs)).unref()
  }
  arm()
  return () => clearTimeout(timer)
}
