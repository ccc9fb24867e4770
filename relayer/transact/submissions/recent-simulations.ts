import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import type { Executable } from './simulate-batch.ts'

/** Simulations, in this instance, of the exact transaction that is about to be sent. */
export interface RecentSimulations {
  /** Notes that the intents of a quote, together and with no others, would all succeed if sent by `origin`. */
  note(quoteId: string, intents: readonly Executable[], origin: Address): void
  /**
   * Returns the sender with which exactly these intents just succeeded, else null. It answers once, so that another
   * attempt simulates.
   */
  take(quoteId: string, intents: readonly Executable[]): Address | null
}

/** At most the time of a node's answer: a change within it could also follow a new simulation. */
const FRESH_MS = 100
/** Most notes; the oldest are evicted first, because many quotes at once are simulated together. */
const MAX_KNOWN = 100

/** Creates the notes of this instance. @param now Milliseconds of a monotonic clock. */
export function createRecentSimulations(now = () => performance.now()): RecentSimulations {
  const known = new LRUCache<string, { transaction: string; origin: Address; until: number }>({
    max: MAX_KNOWN,
  })
  return {
    note(quoteId, intents, origin) {
      known.set(quoteId, { transaction: describe(intents), origin, until: now() + FRESH_MS })
    },
    take(quoteId, intents) {
      const seen = known.get(quoteId)
      known.delete(quoteId)
      if (seen === undefined || seen.until <= now() || seen.transaction !== describe(intents)) return null
      return seen.origin
    },
  }
}

/**
 * Describes everything that distinguishes such transactions; delegations already in effect are not part of the intents.
 */
const describe = (intents: readonly Executable[]) =>
  JSON.stringify(
    intents.map(({ encoded, delegation }) => [
      encoded,
      delegation && [delegation.contractAddress, delegation.authorizationNonce],
    ]),
  )
