import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { getAddress } from 'viem'
import {
  listKnownTokens,
  listTokensByAccounts,
  listTokenSources,
  listUnrecognised,
  recordTokenSources,
  type SourceScope,
  type TokenSourceRow,
} from '../../../db/market/tokens/token-sources.ts'
import { writeApart } from '../../concurrency/write-apart.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import { buildCatalog, type Catalog } from './build-catalog.ts'
import type { TokensConfig } from './config.ts'
import { sourceOfProvider } from './discover-token.ts'
import { createTokenLearner, type TokenLearner } from './learn-tokens.ts'
import { loadTokenList } from './load-token-list.ts'
import { searchCatalog } from './search-catalog.ts'
import { CHAIN_SOURCE, tokenOfSources } from './token-of-sources.ts'
import { keyOf, type TokenId, type TokenKey } from './token-id.ts'
import type { Markets, TokenProvider } from './token-provider.ts'
import type {
  CatalogPage,
  CatalogQuery,
  DescribedToken,
  PopularTokens,
  Token,
  TokenExtra,
  Tokens,
  TokenSource,
} from './tokens.ts'
import { tokenMetadataUnavailable, tokenNotFound } from '../errors.ts'
import { chainNotSupported } from '../../chain/errors.ts'

const RELOAD_MS = 86_400_000
const RETRY_MS = 300_000
const MAX_RECOGNISED = 10_000
const MAX_ASSESSED = 20_000
/** Maximum of remembered tokens that clients looked up last. */
const MOST_LOOKED_UP = 1_000
/** The guaranteed part of looked-up tokens among the watched ones, if accounts hold more than can be watched. */
const LOOKED_UP_PART = 1 / 4
/** Milliseconds between two selections of accounts' tokens, while not all known tokens can be watched. */
const CHOSEN_MS = 600_000

/** Dependencies of the catalogue. */
export interface TokensParts {
  database: DatabasePool
  chains: Chains
  config: TokensConfig
  /** Tokens that the configuration names and does not describe. */
  named: ReadonlySet<TokenKey>
  markets: Markets
  providers: readonly TokenProvider[]
  logger: Logger
}

/** Finds a provider's entry for a token. */
type CoinOf = (id: TokenId) => { id: string; symbol: string; name: string } | undefined

/** The tokens, with functions for the composition root. */
export interface OpenTokens extends Tokens {
  /**
   * Returns the tokens whose prices are read, at most `limit`: the catalogue's first, then looked-up or held ones
   * that are no spam. If these are too many, every account has its share of the places, and so has every client that
   * looks tokens up. One set for all, so that requests reveal no account.
   */
  watched(limit: number): Promise<readonly TokenId[]>
  /** Stores which of the tokens read from contracts a provider also knows. */
  recognise(provider: string, coinOf: CoinOf): Promise<void>
  stop(): void
}

/** Opens the catalogue. A failed load of the token list is logged and retried; the configured tokens are available anyway. */
export async function createTokens(parts: TokensParts): Promise<OpenTokens> {
  const tokens = new TokenDirectory(parts)
  await tokens.load()
  return tokens
}

/** The sources that a reader may know: only those that public look-ups stored, or also those of holders. */
type Scope = 'public' | 'all'

class TokenDirectory implements OpenTokens {
  readonly maxUnlisted: number
  readonly #parts: TokensParts
  readonly #chainConfigs: readonly ChainConfig[]
  readonly #learner: TokenLearner
  readonly #startedAt = new Date()
  /** Cached: assessing a token costs a hundred times as much as comparing its sources. */
  readonly #assessed = new SharedPlaces<string, { stamp: string; originals: unknown; token: Token | null }>(
    MAX_ASSESSED,
  )
  /** Tokens that clients look up. The clients themselves are only in the memory of this instance. */
  readonly #lookedUp = new SharedPlaces<TokenKey, TokenId>(MOST_LOOKED_UP)
  #catalog: Catalog
  #chosen: { until: number; tokens: readonly TokenId[] } = { until: 0, tokens: [] }
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: TokensParts) {
    const { database, chains, config, providers, logger } = parts
    this.#parts = parts
    this.maxUnlisted = config.maxUnlisted
    this.#chainConfigs = [...chains.values()].map((chain) => chain.config)
    this.#learner = createTokenLearner({
      database,
      chains,
      providers,
      timeoutMs: config.readTimeoutMs,
      isFresh: (id, scope) => this.#isFresh(id, scope),
      logger,
    })
    this.#catalog = buildCatalog(this.#chainConfigs, null, config)
  }

  /** Loads the token list; one from a URL is loaded again from time to time. */
  async load(): Promise<void> {
    const { config, logger } = this.#parts
    const isRemote = typeof config.list === 'object' && 'url' in config.list
    const listedChains = new Set(
      this.#chainConfigs.flatMap(({ chainId, mainnetChainId = chainId }) => [chainId, mainnetChainId]),
    )
    let wait = RELOAD_MS
    try {
      const list = await loadTokenList(config.list, listedChains)
      this.#catalog = buildCatalog(this.#chainConfigs, list, config)
    } catch (error) {
      logger.warn({ err: error }, 'the token list could not be loaded')
      wait = RETRY_MS
    }
    if (isRemote && !this.#isStopped) this.#timer = setTimeout(() => void this.load(), wait).unref()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async find(id: TokenId): Promise<Token | null> {
    return (await this.findMany([id])).get(keyOf(id)) ?? null
  }

  async findPublic(id: TokenId): Promise<Token | null> {
    return (await this.#findIn('public', [id])).get(keyOf(id)) ?? null
  }

  findMany(ids: readonly TokenId[]): Promise<Map<TokenKey, Token>> {
    return this.#findIn('all', ids)
  }

  isListed(id: TokenId): boolean {
    return this.#catalog.tokens.has(keyOf(id)) || this.#parts.named.has(keyOf(id))
  }

  async learnMany(ids: readonly TokenId[]): Promise<ReadonlyMap<TokenKey, Token>> {
    const known = await this.findMany(ids)
    const missing = ids.filter((id) => !known.has(keyOf(id)) && this.#parts.chains.has(id.chainId))
    if (missing.length === 0) return known
    await this.#learner.learnMany(missing)
    return new Map([...known, ...(await this.findMany(missing))])
  }

  async lookup(id: TokenId, include: ReadonlySet<TokenExtra>): Promise<DescribedToken> {
    return this.#hideHolders(await this.#lookupIn('public', id, include))
  }

  lookupHeld(id: TokenId, include: ReadonlySet<TokenExtra>): Promise<DescribedToken> {
    return this.#lookupIn('all', id, include)
  }

  async describe(
    tokens: readonly Token[],
    include: ReadonlySet<TokenExtra>,
  ): Promise<readonly DescribedToken[]> {
    const [sources, known] = await Promise.all([
      include.has('sources') ? this.#readSources(tokens, 'public') : null,
      include.has('market') ? this.#parts.markets.read(tokens) : null,
    ])
    return tokens.map((token): DescribedToken => ({
      token,
      ...(sources && {
        sources: [...this.#ownSource(token), ...(sources.get(keyOf(token)) ?? []).map(withoutMoment)],
      }),
      ...(known && { market: known.get(keyOf(token)) ?? null }),
    }))
  }

  async catalog({ include, ...query }: CatalogQuery): Promise<CatalogPage> {
    const { tokens, nextCursor } = searchCatalog(this.#catalog, query)
    const { pinnedSymbols, testnetToMainnet } = this.#catalog
    return { tokens: await this.describe(tokens, include), pinnedSymbols, testnetToMainnet, nextCursor }
  }

  async popular(chainId: number): Promise<PopularTokens> {
    const { chains, markets } = this.#parts
    if (!chains.has(chainId)) return { source: 'trending', tokens: [] }
    const known = new Map<TokenKey, Token>()
    const { source, tokens } = await markets.popular(chainId, async (ids) => {
      for (const [key, token] of await this.#findIn('public', ids)) if (!token.spam) known.set(key, token)
      return ids.filter((id) => known.has(keyOf(id)))
    })
    const shown = tokens.flatMap(({ id, ...changes }) => {
      const token = known.get(keyOf(id))
      return token ? [{ token, ...changes }] : []
    })
    if (shown.length > 0) return { source, tokens: shown }
    // Without trading data, the operator's configured tokens.
    const chosen = [...this.#catalog.tokens.values()].filter(
      (token) => token.chainId === chainId && token.metadataSource === 'configuration' && !token.spam,
    )
    return { source, tokens: chosen.map((token) => ({ token, change6h: null, change24h: null })) }
  }

  async watched(limit: number): Promise<readonly TokenId[]> {
    const listed = [...this.#catalog.tokens.values()].slice(0, limit)
    const wanted = await this.#listWanted(limit, limit - listed.length)
    const others = await this.findMany(wanted)
    const honest = [...others.values()].filter(
      (token) =>
        !token.spam && this.#parts.chains.has(token.chainId) && !this.#catalog.tokens.has(keyOf(token)),
    )
    return [...listed, ...honest].slice(0, limit).map(({ chainId, address }) => ({ chainId, address }))
  }

  recognise(provider: string, coinOf: CoinOf): Promise<void> {
    return recogniseTokens(this.#parts, provider, coinOf)
  }

  async #readSources(ids: readonly TokenId[], scope: Scope): Promise<Map<TokenKey, TokenSourceRow[]>> {
    if (ids.length === 0) return new Map()
    const rows = await listTokenSources(this.#parts.database, ids, scope)
    return Map.groupBy(rows, ({ chainId, address }) => `${chainId}:${address}` as TokenKey)
  }

  async #findIn(scope: Scope, ids: readonly TokenId[]): Promise<Map<TokenKey, Token>> {
    const found = new Map<TokenKey, Token>()
    const unlisted: TokenId[] = []
    for (const id of ids) {
      const token = this.#catalog.tokens.get(keyOf(id))
      if (token) found.set(keyOf(id), token)
      else unlisted.push(id)
    }
    const sources = await this.#readSources(unlisted, scope)
    for (const id of unlisted) {
      const token = this.#unlistedTokenOf(scope, id, sources.get(keyOf(id)) ?? [])
      if (token) found.set(keyOf(id), token)
    }
    return found
  }

  #unlistedTokenOf(scope: Scope, id: TokenId, rows: readonly TokenSourceRow[]): Token | null {
    const key = `${scope} ${keyOf(id)}`
    const { originals } = this.#catalog
    const stamp = rows.map(({ source, lastSeenAt }) => `${source} ${lastSeenAt.getTime()}`).join()
    const known = this.#assessed.get(key)
    if (known?.stamp === stamp && known.originals === originals) return known.token
    const token = tokenOfSources(id, rows, originals)
    this.#assessed.set(key, { stamp, originals, token })
    return token
  }

  async #isFresh(id: TokenId, scope: SourceScope): Promise<boolean> {
    const sources = await this.#readSources([id], scope === 'public' ? 'public' : 'all')
    const ofChain = sources.get(keyOf(id))?.find(({ source }) => source === CHAIN_SOURCE)
    const asked = ofChain?.lastSeenAt.getTime() ?? 0
    return Date.now() - asked < this.#parts.config.metadataMaxAgeMs
  }

  async #lookupIn(scope: Scope, id: TokenId, include: ReadonlySet<TokenExtra>): Promise<DescribedToken> {
    const [described] = await this.describe([await this.#lookupToken(id, scope)], include)
    if (!described) throw new Error('a token was described as nothing')
    return described
  }

  async #lookupToken(id: TokenId, scope: Scope): Promise<Token> {
    const { chains } = this.#parts
    if (!chains.has(id.chainId))
      throw chainNotSupported(`chainId ${id.chainId} is not served; served: ${[...chains.keys()].join(', ')}`)
    const listed = this.#catalog.tokens.get(keyOf(id))
    if (listed) return listed
    const discovery = await this.#learner.learn(id, scope === 'public' ? 'public' : 'held')
    if (discovery === 'no-token')
      throw tokenNotFound(`There is no ERC-20 token at that address of chain ${id.chainId}`)
    // Falls back to the stored description if no source answers, unless it was read for the token's holders.
    const token = (await this.#findIn(scope, [id])).get(keyOf(id))
    if (token) {
      this.#lookedUp.set(keyOf(id), id)
      return token
    }
    throw tokenMetadataUnavailable('No source of the token answers; try again in a moment')
  }

  /** Hides market data that was fetched before the token was looked up: it was fetched for holders, and would reveal them. */
  async #hideHolders(described: DescribedToken): Promise<DescribedToken> {
    const { token, market } = described
    if (!market || this.#catalog.tokens.has(keyOf(token))) return described
    const sources = (await this.#readSources([token], 'public')).get(keyOf(token)) ?? []
    const since = Math.min(...sources.map(({ firstSeenAt }) => firstSeenAt.getTime()))
    return market.fetchedAt.getTime() >= since ? described : { ...described, market: null }
  }

  /** Returns the catalogue's entry as a source, beside the stored ones. */
  #ownSource(token: Token): TokenSource[] {
    const { symbol, name, decimals, logoUri, metadataSource } = token
    const told = { sourceId: keyOf(token), symbol, name, decimals, logoUrl: logoUri, externalUrl: null }
    if (metadataSource === 'configuration')
      return [{ ...told, source: 'configuration', firstSeenAt: this.#startedAt, lastSeenAt: this.#startedAt }]
    if (metadataSource !== 'token-list' || !this.#catalog.list) return []
    const { name: listName, publishedAt } = this.#catalog.list
    return [{ ...told, source: `token-list:${listName}`, firstSeenAt: publishedAt, lastSeenAt: publishedAt }]
  }

  /** Lists looked-up tokens and accounts' tokens, then those that sources described last. */
  async #listWanted(limit: number, places: number): Promise<readonly TokenId[]> {
    const { database } = this.#parts
    const newest = checksummed(await listKnownTokens(database, limit + 1))
    if (newest.length <= places) return newest
    if (this.#chosen.until < Date.now())
      this.#chosen = {
        until: Date.now() + CHOSEN_MS,
        tokens: checksummed(await listTokensByAccounts(database, limit)),
      }
    const sought = [...this.#lookedUp.inTurns().take(Math.floor(places * LOOKED_UP_PART))]
    const ofAccounts = this.#chosen.tokens.slice(0, places - sought.length)
    return [...new Map([...sought, ...ofAccounts, ...newest].map((id) => [keyOf(id), id])).values()]
  }
}

const checksummed = (rows: readonly { chainId: number; address: string }[]): TokenId[] =>
  rows.map(({ chainId, address }) => ({ chainId, address: getAddress(address) }))

/** Stores a provider's description of the known tokens that it has not described yet. */
async function recogniseTokens(
  { database, logger }: TokensParts,
  provider: string,
  coinOf: CoinOf,
): Promise<void> {
  const strangers = await listUnrecognised(database, provider, MAX_RECOGNISED)
  const known = strangers.flatMap(({ chainId, address, isPublic }) => {
    const id = { chainId, address: getAddress(address) }
    const coin = coinOf(id)
    if (!coin) return []
    const told = { ...coin, sourceId: coin.id, symbol: coin.symbol.toUpperCase() }
    const described = { ...told, decimals: null, logoUrl: null, externalUrl: null }
    return [{ isPublic, source: sourceOfProvider(id, provider, described) }]
  })
  for (const scope of ['public', 'held'] as const) {
    const ofScope = known.filter(({ isPublic }) => isPublic === (scope === 'public'))
    const refused = await writeApart(
      database,
      ofScope.map(({ source }) => source),
      (connection, rows) => recordTokenSources(connection, rows, scope),
    )
    if (refused.length > 0)
      logger.error({ provider, tokens: refused.length }, 'the database refused tokens of a provider')
  }
}

const HOUR_MS = 3_600_000
const hourOf = (moment: Date) => new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS)

/** Rounds times to the hour: equal times would link two tokens to one client. */
const withoutMoment = (source: TokenSourceRow): TokenSourceRow => ({
  ...source,
  firstSeenAt: hourOf(source.firstSeenAt),
  lastSeenAt: hourOf(source.lastSeenAt),
})
