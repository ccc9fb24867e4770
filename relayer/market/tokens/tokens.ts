import type { TokenId, TokenKey } from './token-id.ts'

/**
 * The level of trust in a token. `verified`: configured by the operator. `listed`: in the token list. `unlisted`:
 * known only from a provider or the chain. `hidden`: likely spam, shown only on request.
 */
export type Visibility = 'verified' | 'listed' | 'unlisted' | 'hidden'

/** The source of symbol, name and decimals. */
export type MetadataSource = 'configuration' | 'token-list' | 'provider' | 'chain'

/** A token. Its texts are sanitised: no control, bidirectional or invisible characters, bounded length. */
export interface Token extends TokenId {
  symbol: string
  name: string
  decimals: number
  /** An https address; null if there is no picture. */
  logoUri: string | null
  visibility: Visibility
  metadataSource: MetadataSource
  /** Likely spam or phishing (assess-spam.ts). */
  spam: boolean
  isPartner: boolean
}

/** A source of a token, with its description and the time since when it knows the token. */
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

/** A provider's figures of a token's market, by the names of the API: decimal strings, except for the rank. */
export interface TokenMarket {
  provider: string
  providerAssetId: string
  vsCurrency: string
  /** Decimal text of the reported figures: price, marketCap, ath and so on. */
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

/** The values of `include`. */
export type TokenExtra = 'market' | 'sources'

/** A token with the members that `include` requested; others are absent. */
export interface DescribedToken {
  token: Token
  /** Null if no provider knows its market. */
  market?: TokenMarket | null
  sources?: readonly TokenSource[]
}

/**
 * The position of a token in an answer; smaller ones come first. Positions are total, so a page may begin after any
 * of them.
 */
export type CatalogPosition = readonly [
  rank: number,
  prominence: number,
  symbol: string,
  chainId: number,
  address: string,
]

/** A page of the catalogue, searched by text or address. */
export interface CatalogQuery {
  /** Text to search for, or an address. */
  q?: string | undefined
  chainId?: number | undefined
  limit: number
  cursor?: CatalogPosition | undefined
  include: ReadonlySet<TokenExtra>
}

/** One page of the catalogue; `nextCursor` is null on the last one. */
export interface CatalogPage {
  tokens: readonly DescribedToken[]
  /** Symbols to show first; from the catalogue only. */
  pinnedSymbols: readonly string[]
  /** The mainnet's token of each testnet token that has one. */
  testnetToMainnet: ReadonlyMap<TokenKey, TokenId>
  nextCursor: CatalogPosition | null
}

/** A relative change of the price, in percent, as a decimal number. */
export interface PriceChange {
  percentage: number
  observedAt: Date
}

/** Tokens to suggest, with their price changes; a change is null if either price is unknown. */
export interface PopularTokens {
  /** `trending`: popular searches at a provider. `venue-popular`: the most traded. */
  source: 'trending' | 'venue-popular'
  tokens: readonly { token: Token; change6h: PriceChange | null; change24h: PriceChange | null }[]
}

/** Tokens as everybody may see them. */
export interface PublicTokens {
  /**
   * Like {@link Tokens.find}, but only for public tokens: in the catalogue, or looked up before. It does not reveal
   * accounts' holdings.
   */
  findPublic(id: TokenId): Promise<Token | null>
  /**
   * True if the operator vouches for the token: the configuration names it, or the token list has it. Only such a
   * token may count as money of the service. Its code is trusted to follow ERC-20, and its price is trusted. This
   * makes no request; a price provider that knows a token does not make it listed.
   */
  isListed(id: TokenId): boolean
}

/** The catalogue of tokens. Requests name no account. */
export interface Tokens extends PublicTokens {
  /** Finds the token, if it is known. Makes no request to chain or provider. */
  find(id: TokenId): Promise<Token | null>
  /** {@link find} for many: one query. Unknown tokens are absent. */
  findMany(ids: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, Token>>
  /**
   * Returns the tokens. Unknown ones are read from their contracts in a few bounded calls, and stored. Tokens that
   * are no ERC-20, or whose chain does not answer, are absent. For the indexer and balances; asks no provider.
   */
  learnMany(ids: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, Token>>
  /** Maximum of unlisted tokens in one answer about an account. */
  maxUnlisted: number
  /**
   * Returns the token; an unknown one is read from providers and its contract, and stored.
   *
   * @throws ServiceError `bad-request` for an unsupported chain, `not-found` if there is no such token, `unavailable`
   * TOKEN_METADATA_UNAVAILABLE while no source answers.
   */
  lookup(id: TokenId, include: ReadonlySet<TokenExtra>): Promise<DescribedToken>
  /** Like {@link lookup} for an account that holds the token; the lookup does not become visible to others. */
  lookupHeld(id: TokenId, include: ReadonlySet<TokenExtra>): Promise<DescribedToken>
  /** Adds the members that `include` requests. One query for all. */
  describe(tokens: readonly Token[], include: ReadonlySet<TokenExtra>): Promise<readonly DescribedToken[]>
  /** Returns a page of the catalogue; makes no request outside the service. */
  catalog(query: CatalogQuery): Promise<CatalogPage>
  popular(chainId: number): Promise<PopularTokens>
}
