import type { Logger } from 'pino'
import type { OutboundProgress } from './broadcast-engine.ts'

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
