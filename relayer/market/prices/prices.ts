import type { TokenId, TokenKey } from '../tokens/token-id.ts'

/** Prices and values in US dollars are whole numbers of 10^-30 dollars: small coins keep their digits, and sums are exact. */
export const USD_DECIMALS = 30

/** The worth of one whole token (10^decimals smallest units). */
export interface Price {
  /** Units of 10^-{@link USD_DECIMALS} US dollars; above zero. */
  usd: bigint
  observedAt: Date
  /** True if older than the refresh target, but usable. */
  stale: boolean
}

/** Prices in US dollars, as of the last round. Reading makes no request outside the service. */
export interface Prices {
  /** Reads the price of each token; null if there is no recent one. Null never means zero. */
  read(tokens: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, Price | null>>
}
