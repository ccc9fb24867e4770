import type { Logger } from 'pino'
import type { OutboundProgress } from './broadcast-engine.ts'
import { publishOutboundStep } from './observe-outbound.ts'
import type { DatabasePool } from 'slonik'
import { readProgress } from '../../../db/chain/broadcast/outbound-settle.ts'

/** Progress of one outgoing transaction. */
export interface OutboundEvent {
  outboundId: string
  kind: string
  reference: string
  chainId: number
  progress: OutboundProgress
}

/** Delivers progress to listeners within this instance. */
export interface ProgressBoard {
  /** Calls every listener; an error of one is logged and does not stop the others. */
  announce(event: OutboundEvent): void
  /** @returns @returns A function that unsubscribes. */
  listen(listener: (event: OutboundEvent) => void): () => void
}

/** Creates the board that delivers progress within this instance. */
export function createProgressBoard(logger: Logger): ProgressBoard {
  const listeners = new Set<{ tell: (event: OutboundEvent) => void }>()
  return {
    announce(event) {
      publishOutboundStep({ step: 'progress', outboundId: event.outboundId, progress: event.progress })
      for (const { tell } of listeners) {
        try {
          tell(event)
        } catch (error) {
          logger.error({ err: error, outboundId: event.outboundId }, 'a listener of the outbox failed')
        }
      }
    },
    listen(tell) {
      const entry = { tell }
      listeners.add(entry)
      return () => listeners.delete(entry)
    },
  }
}

/** Delay before the database is asked for progress: sending usually takes less. */
const LATE_MS = 250

/** Callers that wait for the first progress of transactions. */
export interface SentWaiters {
  waitUntilSent(outboundId: string, signal: AbortSignal, isNew?: boolean): Promise<OutboundProgress>
  /** Asks the database again for all waiting callers: notifications may have been lost. */
  recheck(): void
}

/** Waits for the first progress of an outgoing transaction, whichever instance makes it. */
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
      // Subscribe before reading, or an event could fall between the two.
      const leave = board.listen((event) => event.outboundId === outboundId && resolve(event.progress))
      signal.addEventListener('abort', onAbort, { once: true })
      rechecks.add(look)
      // A transaction enqueued just now has no progress yet, unless it was sent before its commit was answered.
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
