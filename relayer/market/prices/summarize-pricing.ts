import type { Price } from './prices.ts'
import { valueInUsd } from './usd.ts'

/** The price coverage of a set of balances (`pricing`), and its total worth. */
export interface Pricing {
  /** Total of the priced ones in units of 10^-30 dollars; null if there are balances and none has a price. */
  totalUsd: bigint | null
  nonZeroAssetCount: number
  pricedAssetCount: number
  unpricedAssetCount: number
  oldestObservedAt: Date | null
  newestObservedAt: Date | null
}

/** Sums up the visible balances. Balances without a price are counted as unpriced and not summed. */
export function summarizePricing(
  balances: readonly { amount: bigint; decimals: number; price: Price | null }[],
): Pricing {
  const nonZero = balances.filter(({ amount }) => amount > 0n)
  const priced = nonZero.flatMap(({ amount, decimals, price }) =>
    price ? [{ amount, decimals, price }] : [],
  )
  const times = priced.map(({ price }) => price.observedAt.getTime())
  const isUnknown = nonZero.length > 0 && priced.length === 0
  return {
    totalUsd: isUnknown
      ? null
      : priced.reduce((sum, { amount, decimals, price }) => sum + valueInUsd(amount, decimals, price), 0n),
    nonZeroAssetCount: nonZero.length,
    pricedAssetCount: priced.length,
    unpricedAssetCount: nonZero.length - priced.length,
    oldestObservedAt: times.length > 0 ? new Date(Math.min(...times)) : null,
    newestObservedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  }
}
