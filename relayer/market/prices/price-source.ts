import type { TokenId, TokenKey } from '../tokens/token-id.ts'

/** A price as a source reported it: units of 10^-30 dollars for one whole token. */
export interface PriceQuote {
  id: TokenId
  usd: bigint
  observedAt: Date
}

/** A price that another may be reckoned from. */
export type KnownPrice = Pick<PriceQuote, 'usd' | 'observedAt'>

/** A provider or contract that knows prices. It learns tokens only, never for whom. */
export interface PriceSource {
  name: string
  /**
   * Prices of those tokens that it knows.
   *
   * @param known What sources before it said in this round, and fixed prices. What follows from one of these was observed
   *   no later than it.
   * @param tell Is given prices as they come, so that a failure later on loses none of them.
   * @throws Error when it does not answer.
   */
  read(
    tokens: readonly TokenId[],
    known: ReadonlyMap<TokenKey, KnownPrice>,
    tell: (quotes: readonly PriceQuote[]) => Promise<void>,
  ): Promise<void>
}
