import type { TokenId, TokenKey } from './token-id.ts'
import type { PriceChange, TokenMarket } from './tokens.ts'

/** A provider's description of a token; texts are bounded, not sanitised. */
export interface ProviderToken {
  /** The provider's own id of the token. */
  sourceId: string
  symbol: string
  name: string
  decimals: number | null
  logoUrl: string | null
  externalUrl: string | null
}

/** An outside provider that knows tokens. Requests name tokens, never users. */
export interface TokenProvider {
  name: string
  /** Describes a token; null if the provider does not know it. @throws Error if it does not answer. */
  describe(id: TokenId): Promise<ProviderToken | null>
}

/** The stored markets of tokens. Reading makes no request outside the service. */
export interface Markets {
  read(ids: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, TokenMarket>>
  /**
   * Returns the most popular tokens first, of those that `listShown` keeps. They are the trending ones, else the most
   * traded, else those with a price. Empty if there are none.
   */
  popular(
    chainId: number,
    listShown: (ids: readonly TokenId[]) => Promise<readonly TokenId[]>,
  ): Promise<{
    source: 'trending' | 'venue-popular'
    tokens: readonly { id: TokenId; change6h: PriceChange | null; change24h: PriceChange | null }[]
  }>
}
