import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Shares a read among all who need a fresh one: each call resolves after a read that began after the call, at most one
 * runs at a time, and they begin at least `intervalMs` apart, so that a flood of callers costs a trickle of reads.
 * A failed read fails those who waited for it.
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
