import { SharedPlaces } from '../../shares/shared-places.ts'
import { keyOf, type TokenId, type TokenKey } from '../tokens/token-id.ts'
import type { Price, Prices } from './prices.ts'

/** Maximum of cached prices. */
const MAX_REMEMBERED = 10_000

interface Reading {
  prices: Promise<ReadonlyMap<TokenKey, Price | null>>
  /** Milliseconds of the monotonic clock. */
  until: number
}

/**
 * Caches each price for a moment, because a quote and its submission read the same two prices several times. Prices
 * change once a minute, and another instance's round may show a moment late. A failed read is not cached.
 *
 * @param forMs Milliseconds from the start of a read.
 */
export function rememberPrices({ read }: Prices, forMs: number): Prices & { forget(): void } {
  let known = new SharedPlaces<TokenKey, Reading>(MAX_REMEMBERED)

  function recall(key: TokenKey): Reading | null {
    const reading = known.get(key)
    return reading && performance.now() < reading.until ? reading : null
  }

  function ask(ids: readonly TokenId[]): Reading {
    const reading = { prices: read(ids), until: performance.now() + forMs }
    for (const id of ids) known.set(keyOf(id), reading)
    reading.prices.catch(() => (reading.until = 0))
    return reading
  }

  return {
    async read(tokens) {
      const readings = new Map(tokens.map((id) => [keyOf(id), recall(keyOf(id))]))
      const missing = tokens.filter((id) => readings.get(keyOf(id)) === null)
      const asked = missing.length > 0 ? ask(missing) : null
      const priceOf = async (key: TokenKey, reading: Reading | null) =>
        (await (reading ?? asked)?.prices)?.get(key) ?? null
      return new Map(
        await Promise.all(
          [...readings].map(async ([key, reading]) => [key, await priceOf(key, reading)] as const),
        ),
      )
    },
    forget: () => void (known = new SharedPlaces(MAX_REMEMBERED)),
  }
}
