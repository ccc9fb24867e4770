import type { Token } from '../../market/tokens/tokens.ts'

/** An asset that might be converted as a whole, in its smallest unit, and what it and the chain's native coin are worth. */
export interface ConvertibleAsset {
  token: Pick<Token, 'chainId' | 'address' | 'decimals'>
  available: bigint
  /** Units of 10^-30 dollars per whole token; null without a price. */
  tokenUsd: bigint | null
  nativeUsd: bigint | null
}

/**
 * What would enter the pool of an asset, vetting fee included, in its smallest unit: 0 where fees take all, or cannot be
 * taken of a token without a price; null while costs are not known.
 */
export type EstimateDeposit = (asset: ConvertibleAsset) => bigint | null

/** What conversions cost. */
export interface ConversionCosts {
  /** As it is for an account now, by one query. */
  read(accountId: string): Promise<EstimateDeposit>
}
