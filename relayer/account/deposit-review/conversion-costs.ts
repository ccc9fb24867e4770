import type { Token } from '../../market/tokens/tokens.ts'

/** An asset considered for conversion as a whole, in its smallest unit, with its price and the native coin's. */
export interface ConvertibleAsset {
  token: Pick<Token, 'chainId' | 'address' | 'decimals'>
  available: bigint
  /** Units of 10^-30 dollars per whole token; null without a price. */
  tokenUsd: bigint | null
  nativeUsd: bigint | null
}

/**
 * Estimates the deposit that would enter the pool, vetting fee included, in the asset's smallest unit. Returns 0 if
 * fees take all, or if the token has no price to charge them in; null while costs are unknown.
 */
export type EstimateDeposit = (asset: ConvertibleAsset) => bigint | null

/** The costs of conversions. */
export interface ConversionCosts {
  /** Returns the estimate for an account at present, by one query. */
  read(accountId: string): Promise<EstimateDeposit>
}
