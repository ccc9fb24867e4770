import type { TokenId, TokenKey } from './token-id.ts'

/**
 * What the service makes of a token. verified: configured by the operator. listed: in the token list. unlisted: known
 * from a provider or the chain alone. hidden: likely spam, shown to nobody who did not ask for it.
 */
export type Visibility = 'verified' | 'listed' | 'unlisted' | 'hidden'

/** Where symbol, name and decimals come from. */
export type MetadataSource = 'configuration' | 'token-list' | 'provider' | 'chain'

/** A token. Its texts are sanitised: no control, bidirectional or invisible characters, bounded length. */
export interface Token extends TokenId {
  symbol: string
  name: string
  decimals: number
  /** An https address; null when there is no picture. */
  logoUri: string | null
  visibility: Visibility
  metadataSource: MetadataSource
  /** Likely spam or phishing (assess-spam.ts). */
  spam: boolean
  isPartner: boolean
}

/** Who knows a token, since when, and what they say of it. */
export interface TokenSource {
  source: string
  sourceId: string
  firstSeenAt: Date
  lastSeenAt: Date
  name: string | null
  symbol: string | null
  decimals: number | null
  logoUrl: string | null
  externalUrl: string | null
}

/** What a provider knows of a token's market, by the names of the API: decimal strings but for the rank. */
export interface TokenMarket {
  provider: string
  providerAssetId: string
  vsCurrency: string
  /** Decimal texts of whatever the provider told: price, marketCap, ath …. */
  figures: Readonly<Partial<Record<MarketFigure, string>>>
  marketCapRank: number | null
  athDate: string | null
  atlDate: string | null
  providerUpdatedAt: Date | null
  priceObservedAt: Date
  marketObservedAt: Date
  fetchedAt: Date
  stale: boolean
}

/** The figures of a token's market, in the order in which they are shown. */
export const MARKET_FIGURES = [
  'price',
  'marketCap',
  'fullyDilutedValuation',
  'totalVolume',
  'high24h',
  'low24h',
  'priceChange24h',
  'priceChangePercentage24h',
  'marketCapChange24h',
  'marketCapChangePercentage24h',
  'circulatingSupply',
  'totalSupply',
  'maxSupply',
  'ath',
  'athChangePercentage',
  'atl',
  'atlChangePercentage',
] as const
/** The name of one market figure. */
export type MarketFigure = (typeof MARKET_FIGURES)[number]

/** What `include` may ask for. */
export type TokenExtra = 'market' | 'sources'

/** A token with what `include` asked for; members that were not asked for are absent. */
export interface DescribedToken {
  token: Token
  /** Null when no provider knows its market. */
  market?: TokenMarket | null
  sources?: readonly TokenSource[]
}

/** A page of the catalogue, searched by text or address. */
export interface CatalogQuery {
  /** Text to search for, or an address. */
  q?: string | undefined
  chainId?: number | undefined
  limit: number
  cursor?: string | undefined
  include: ReadonlySet<TokenExtra>
}

/** One page of the catalogue; `nextCursor` is null on the last one. */
export interface CatalogPage {
  tokens: readonly DescribedToken[]
  /** Symbols to show first, those of the catalogue alone. */
  pinnedSymbols: readonly string[]
  /** The mainnet's token of each testnet token that has one. */
  testnetToMainnet: ReadonlyMap<TokenKey, TokenId>
  nextCursor: string | null
}

/** A relative change of the price, in percent, as a decimal number. */
export interface PriceChange {
  percentage: number
  observedAt: Date
}

/** Tokens to suggest, with how their prices changed; a change is null where either price is unknown. */
export interface PopularTokens {
  /** trending: what a provider's users look for. venue-popular: what is traded most. */
  source: 'trending' | 'venue-popular'
  tokens: readonly { token: Token; change6h: PriceChange | null; change24h: PriceChange | null }[]
}

/** What is known of tokens. Nothing here ever hears of an account. */
export interface Tokens {
  /** The token, when it is known: no chain and no provider is asked. */
  find(id: TokenId): Promise<Token | null>
  /** The same as far as it does not tell what accounts hold: known from the catalogue, or because somebody looked it up. */
  findPublic(id: TokenId): Promise<Token | null>
  /** {@link find} for many: one query. Tokens that are not known are absent. */
  findMany(ids: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, Token>>
  /**
   * The tokens, with those that were not known read from their contracts, in a few bounded calls, and remembered. Those
   * that are no ERC-20, or whose chain does not answer, are absent. For the indexer and balances; no provider is asked.
   */
  learnMany(ids: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, Token>>
  /** Most tokens that nobody listed or added, of which one answer about an account tells. */
  maxUnlisted: number
  /** Whether the token is configured, or in the token list. */
  isListed(id: TokenId): boolean
  /**
   * The token, asking providers and its contract when it is not known, and remembering what they said.
   *
   * @throws ServiceError `bad-request` for a chain that is not served, `not-found` when there is no such token,
   * `unavailable` TOKEN_METADATA_UNAVAILABLE while nobody who could know answers.
   */
  lookup(id: TokenId, include: ReadonlySet<TokenExtra>): Promise<DescribedToken>
  /** The same for somebody who holds the token: nobody else finds out that it was looked up. */
  lookupHeld(id: TokenId, include: ReadonlySet<TokenExtra>): Promise<DescribedToken>
  /** Adds what `include` asks for. One query for all. */
  describe(tokens: readonly Token[], include: ReadonlySet<TokenExtra>): Promise<readonly DescribedToken[]>
  /** A page of the catalogue; reads only. @throws ServiceError `bad-request` for a cursor that is none. */
  catalog(query: CatalogQuery): Promise<CatalogPage>
  popular(chainId: number): Promise<PopularTokens>
}
