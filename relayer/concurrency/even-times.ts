/** A timer may fire slightly early, which still counts as its planned time. */
const EARLY_MS = 4

/**
 * Milliseconds until the next time that is a multiple of `everyMs` in this process. Pollers at even times wake the process
 * together, and their questions share a statement (db/ask-in-one-statement.ts).
 */
export function untilEvenTime(everyMs: number): number {
  const left = everyMs - (performance.now() % everyMs)
  return Math.ceil(left < Math.min(EARLY_MS, everyMs / 4) ? left + everyMs : left)
}

/**
 * Calls `work` at even times.
 * @returns A function that stops the clock.
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
