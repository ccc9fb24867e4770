import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

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

const RESOLUTION = 2 ** 47

/**
 * Returns a number of at least 0 and below 1 from the system's source of randomness. Predictable times would let an observer
 * join the actions of an account.
 */
export const randomFraction = (): number => randomInt(RESOLUTION) / RESOLUTION

/**
 * Shares a read among all callers that need a fresh one. Each call resolves after a read that began after the call. At most
 * one read runs at a time, and reads begin at least `intervalMs` apart, so a flood of callers cannot cause a flood of reads.
 * A failed read rejects the callers that waited for it.
 */
export function paceReads(read: () => Promise<void>, intervalMs: number): () => Promise<void> {
  let begun = 0
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null

  async function readNext(): Promise<void> {
    await running.catch(() => undefined)
    await sleep(Math.max(0, begun + intervalMs - Date.now()))
    next = null
    begun = Date.now()
    running = read()
    await running
  }

  return () => (next ??= readNext())
}
