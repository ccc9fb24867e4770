import { setTimeout as sleep } from 'node:timers/promises'

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
