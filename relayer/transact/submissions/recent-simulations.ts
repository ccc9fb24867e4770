import type { Address } from 'viem'
import type { ExecutableIntent } from './executable-intent.ts'

/** What was simulated as the very transaction that is about to be sent, in this instance. */
export interface RecentSimulations {
  /** Says that the intents of a quote, together and nothing else with them, would all succeed, sent by `origin`. */
  note(quoteId: string, intents: readonly ExecutableIntent[], origin: Address): void
  /**
   * From whom just these were seen to succeed a moment ago, else null. Told once at most, so that another attempt
   * simulates.
   */
  take(quoteId: string, intents: readonly ExecutableIntent[]): Address | null
}

/**
 * No longer than a node's answer may take: what can change in that time can change after a simulation too.
 */
const FRESH_MS = 100
/** The oldest go first: a crowd is simulated together. */
const MAX_KNOWN = 100

/** @param now Milliseconds of a monotonic clock. */
export function createRecentSimulations(now = () => performance.now()): RecentSimulations {
  const known = new Map<string, { transaction: string; origin: Address; until: number }>()
  return {
    note(quoteId, intents, origin) {
      known.delete(quoteId)
      known.set(quoteId, { transaction: describe(intents), origin, until: now() + FRESH_MS })
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '')
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
 * Everything that distinguishes one such transaction from another; a delegation that is in force by now is left out.
 */
const describe = (intents: readonly ExecutableIntent[]) =>
  JSON.stringify(
    intents.map(({ encoded, delegation }) => [
      encoded,
      delegation && [delegation.contractAddress, delegation.authorizationNonce],
    ]),
  )
