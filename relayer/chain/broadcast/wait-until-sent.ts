import type { DatabasePool } from 'slonik'
import { readProgress } from '../../../db/chain/broadcast/outbound-settle.ts'
import type { OutboundProgress } from './broadcast-engine.ts'
import type { ProgressBoard } from './progress-board.ts'

/** When the database is asked of what is new: sending takes less, mostly. */
const LATE_MS = 250

/** Those who wait for the first progress of transactions. */
export interface SentWaiters {
  waitUntilSent(outboundId: string, signal: AbortSignal, isNew?: boolean): Promise<OutboundProgress>
  /** Asks the database again for everybody who waits: notifications may have been lost. */
  recheck(): void
}

/** Who waits for the first progress of an outgoing transaction, whichever instance makes it. */
export function createSentWaiters(pool: DatabasePool, board: ProgressBoard): SentWaiters {
  const rechecks = new Set<() => void>()

  return {
    async waitUntilSent(outboundId, signal, isNew = false) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<OutboundProgress>()
      const onAbort = () => reject(signal.reason as Error)
      const look = () => {
        readProgress(pool, outboundId).then((progress) => progress && resolve(progress), reject)
      }
      // Listening begins before the look, so that nothing falls between the two.
      const leave = board.listen((event) => event.outboundId === outboundId && resolve(event.progress))
      signal.addEventListener('abort', onAbort, { once: true })
      rechecks.add(look)
      // Of what was enqueued just now nothing can have been told yet, unless it was sent before its commit was answered.
      const late = setTimeout(look, isNew ? LATE_MS : 0)
      try {
        return await promise
      } finally {
        leave()
        clearTimeout(late)
        signal.removeEventListener('abort', onAbort)
        rechecks.delete(look)
      }
    },
    recheck() {
      for (const look of rechecks) look()
    },
  }
}
