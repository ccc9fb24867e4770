import type { Price } from './prices.ts'
import { valueInUsd } from './usd.ts'

/** How well the assets of a set of balances are priced (`pricing`), and what they are worth. */
export interface Pricing {
  /** What the priced ones are worth, units of 10^-30 dollars; null when there is something and none of it has a price. */
  totalUsd: bigint | null
  nonZeroAssetCount: number
  pricedAssetCount: number
  unpricedAssetCount: number
  oldestObservedAt: Date | null
  newestObservedAt: Date | null
}

/** Sums up the visible balances. What has no price is left out of the sum and counted as unpriced. */
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
