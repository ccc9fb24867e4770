import type { DatabasePool } from 'slonik'
import { readProgress } from '../../db/broadcast/outbound-settle.ts'
import type { OutboundProgress } from './broadcast-engine.ts'
import type { ProgressBoard } from './progress-board.ts'

export interface SentWaiters {
  waitUntilSent(outboundId: string, signal: AbortSignal): Promise<OutboundProgress>
  /** Asks the database again for everybody who waits: notifications may have been lost. */
  recheck(): void
}

/** Who waits for the first progress of an outgoing transaction, whichever instance makes it. */
export function createSentWaiters(pool: DatabasePool, board: ProgressBoard): SentWaiters {
  const rechecks = new Set<() => void>()

  return {
    async waitUntilSent(outboundId, signal) {
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
      look()
      try {
        return await promise
      } finally {
        leave()
        signal.removeEventListener('abort', onAbort)
        rechecks.delete(look)
      }
    },
    recheck() {
      for (const look of rechecks) look()
    },
  }
}
