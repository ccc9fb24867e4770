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

/** Somebody outside who knows tokens. It is told of tokens alone, never for whom. */
export interface TokenProvider {
  name: string
  /** Null when it does not know the token. @throws Error when it does not answer. */
  describe(id: TokenId): Promise<ProviderToken | null>
}

/** What is stored of the tokens' markets. Reading asks nobody outside the service. */
export interface Markets {
  read(ids: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, TokenMarket>>
  /** Most popular first; empty where nobody says. */
  popular(chainId: number): Promise<{
    source: 'trending' | 'venue-popular'
    tokens: readonly { id: TokenId; change6h: PriceChange | null; change24h: PriceChange | null }[]
  }>
}
