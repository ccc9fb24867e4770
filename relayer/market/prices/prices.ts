import type { TokenId, TokenKey } from '../tokens/token-id.ts'

/** Prices and values in US dollars are whole numbers of 10^-30 dollars: small coins keep their digits, and sums are exact. */
export const USD_DECIMALS = 30

/** A price that another may be derived from: the worth of one whole token (10^decimals smallest units). */
export interface KnownPrice {
  /** Units of 10^-{@link USD_DECIMALS} US dollars; above zero. */
  usd: bigint
  observedAt: Date
}

/** A price as it is used. */
export interface Price extends KnownPrice {
  /** True if older than the refresh target, but usable. */
  stale: boolean
}

/** A price as a source reported it. */
export interface ReportedPrice extends KnownPrice {
  id: TokenId
}

/** Prices in US dollars, as of the last round. Reading makes no request outside the service. */
export interface Prices {
  /** Reads the price of each token; null if there is no recent one. Null never means zero. */
  read(tokens: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, Price | null>>
}

/** A provider or contract that knows prices. Requests name tokens, never users. */
export interface PriceSource {
  name: string
  /**
   * Reads the prices of the tokens that it knows.
   *
   * @param known Prices of earlier sources in this round, and fixed prices. A price derived from one of them is not
   * observed later than it.
   * @param tell Receives prices as they arrive, because a later failure must not lose them.
   * @throws Error if it does not answer.
   */
  read(
    tokens: readonly TokenId[],
    known: ReadonlyMap<TokenKey, KnownPrice>,
    tell: (prices: readonly ReportedPrice[]) => Promise<void>,
  ): Promise<void>
}
