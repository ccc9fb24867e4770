import type { Price } from './prices.ts'
import { valueInUsd } from './usd.ts'

/** How well the assets of a set of balances are priced (api.md 2.3, `pricing`), and what they are worth. */
export interface Pricing {
  /** Units of 10^-30 dollars; null when an asset of which there is something has no price. */
  totalUsd: bigint | null
  nonZeroAssetCount: number
  pricedAssetCount: number
  unpricedAssetCount: number
  oldestObservedAt: Date | null
  newestObservedAt: Date | null
}

/** Sums up the visible balances. What has no price is counted as unpriced, never as worth nothing. */
export function summarizePricing(
  balances: readonly { amount: bigint; decimals: number; price: Price | null }[],
): Pricing {
  const nonZero = balances.filter(({ amount }) => amount > 0n)
  const priced = nonZero.flatMap(({ amount, decimals, price }) =>
    price ? [{ amount, decimals, price }] : [],
  )
  const times = priced.map(({ price }) => price.observedAt.getTime())
  const isComplete = priced.length === nonZero.length
  return {
    totalUsd: isComplete
      ? priced.reduce((sum, { amount, decimals, price }) => sum + valueInUsd(amount, decimals, price), 0n)
      : null,
    nonZeroAssetCount: nonZero.length,
    pricedAssetCount: priced.length,
    unpricedAssetCount: nonZero.length - priced.length,
    oldestObservedAt: times.length > 0 ? new Date(Math.min(...times)) : null,
    newestObservedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  }
}
