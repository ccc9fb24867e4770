import type { TokenId, TokenKey } from './token-id.ts'
import type { PriceChange, TokenMarket } from './tokens.ts'

/** What a provider says of a token; texts as they came, bounded. */
export interface ProviderToken {
  /** The provider's own name for it. */
  sourceId: string
  symbol: string
  name: string
  decimals: number | null
  logoUrl: string | null
  externalUrl: string | null
}

/** An outside provider that knows tokens. It learns tokens only, never for whom. */
export interface TokenProvider {
  name: string
  /** Null when it does not know the token. @throws Error when it does not answer. */
  describe(id: TokenId): Promise<ProviderToken | null>
}

/** The stored markets of tokens. Reading makes no request outside the service. */
export interface Markets {
  read(ids: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, TokenMarket>>
  /**
   * Most popular first, of those that `listShown` keeps: what is trending, else what is traded most, else what has a price.
   * Empty where none of these has any.
   */
  popular(
    chainId: number,
    listShown: (ids: readonly TokenId[]) => Promise<readonly TokenId[]>,
  ): Promise<{
    source: 'trending' | 'venue-popular'
    tokens: readonly { id: TokenId; change6h: PriceChange | null; change24h: PriceChange | null }[]
  }>
}
