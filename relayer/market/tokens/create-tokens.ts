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
import { buildCatalog, type Catalog } from './build-catalog.ts'
import type { TokensConfig } from './config.ts'
import { sourceOfProvider } from './discover-token.ts'
import { createTokenLearner } from './learn-tokens.ts'
import { loadTokenList } from './load-token-list.ts'
import { searchCatalog } from './search-catalog.ts'
import { CHAIN_SOURCE, tokenOfSources } from './token-of-sources.ts'
import { keyOf, type TokenId, type TokenKey } from './token-id.ts'
import type { Markets, TokenProvider } from './token-provider.ts'
import type { DescribedToken, Token, TokenExtra, Tokens, TokenSource } from './tokens.ts'
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

/** The tokens, with functions for the composition root. */
export interface OpenTokens extends Tokens {
  /**
   * Returns the tokens whose prices are read, at most `limit`: the catalogue's first, then looked-up or held ones
   * that are no spam. If these are too many, every account has its share of the places, and so has every client that
   * looks tokens up. One set for all, so that requests reveal no account.
   */
  watched(limit: number): Promise<readonly TokenId[]>
  /** Stores which of the tokens read from contracts a provider also knows. */
  recognise(
    provider: string,
    coinOf: (id: TokenId) => { id: string; symbol: string; name: string } | undefined,
  ): Promise<void>
  stop(): void
}

/** Opens the catalogue. A failed load of the token list is logged and retried; the configured tokens are available anyway. */
export async function createTokens(parts: TokensParts): Promise<OpenTokens> {
  const { database, chains, config, named, markets, providers, logger } = parts
  const chainConfigs = [...chains.values()].map((chain) => chain.config)
  const listedChains = new Set(
    chainConfigs.flatMap(({ chainId, mainnetChainId = chainId }) => [chainId, mainnetChainId]),
  )
  const startedAt = new Date()
  const learner = createTokenLearner({
    database,
    chains,
    providers,
    timeoutMs: config.readTimeoutMs,
    isFresh,
    logger,
  })
  let catalog: Catalog = buildCatalog(chainConfigs, null, config)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function load(): Promise<void> {
    const isRemote = typeof config.list === 'object' && 'url' in config.list
    let wait = RELOAD_MS
    try {
      const list = await loadTokenList(config.list, listedChains)
      catalog = buildCatalog(chainConfigs, list, config)
    } catch (error) {
      logger.warn({ err: error }, 'the token list could not be loaded')
      wait = RETRY_MS
    }
    if (isRemote && !isStopped) timer = setTimeout(() => void load(), wait).unref()
  }
  await load()

  async function readSources(
    ids: readonly TokenId[],
    scope: 'public' | 'all',
  ): Promise<Map<TokenKey, TokenSourceRow[]>> {
    if (ids.length === 0) return new Map()
    const rows = await listTokenSources(database, ids, scope)
    return Map.groupBy(rows, ({ chainId, address }) => `${chainId}:${address}` as TokenKey)
  }

  /** Cached: assessing a token costs a hundred times as much as comparing its sources. */
  const assessed = new SharedPlaces<string, { stamp: string; originals: unknown; token: Token | null }>(
    MAX_ASSESSED,
  )
  function unlistedTokenOf(
    scope: 'public' | 'all',
    id: TokenId,
    rows: readonly TokenSourceRow[],
  ): Token | null {
    const key = `${scope} ${keyOf(id)}`
    const { originals } = catalog
    const stamp = rows.map(({ source, lastSeenAt }) => `${source} ${lastSeenAt.getTime()}`).join()
    const known = assessed.get(key)
    if (known?.stamp === stamp && known.originals === originals) return known.token
    const token = tokenOfSources(id, rows, originals)
    assessed.set(key, { stamp, originals, token })
    return token
  }

  async function findIn(scope: 'public' | 'all', ids: readonly TokenId[]): Promise<Map<TokenKey, Token>> {
    const found = new Map<TokenKey, Token>()
    const unlisted: TokenId[] = []
    for (const id of ids) {
      const token = catalog.tokens.get(keyOf(id))
      if (token) found.set(keyOf(id), token)
      else unlisted.push(id)
    }
    const sources = await readSources(unlisted, scope)
    for (const id of unlisted) {
      const token = unlistedTokenOf(scope, id, sources.get(keyOf(id)) ?? [])
      if (token) found.set(keyOf(id), token)
    }
    return found
  }

  /** Tokens that clients look up. The clients themselves are only in the memory of this instance. */
  const lookedUp = new SharedPlaces<TokenKey, TokenId>(MOST_LOOKED_UP)

  const findMany = (ids: readonly TokenId[]) => findIn('all', ids)
  const findPublic = async (id: TokenId) => (await findIn('public', [id])).get(keyOf(id)) ?? null

  async function isFresh(id: TokenId, scope: SourceScope): Promise<boolean> {
    const sources = (await readSources([id], scope === 'public' ? 'public' : 'all')).get(keyOf(id)) ?? []
    const asked = sources.find(({ source }) => source === CHAIN_SOURCE)?.lastSeenAt.getTime() ?? 0
    return Date.now() - asked < config.metadataMaxAgeMs
  }

  async function lookupToken(id: TokenId, scope: 'public' | 'all'): Promise<Token> {
    if (!chains.has(id.chainId))
      throw chainNotSupported(`chainId ${id.chainId} is not served; served: ${[...chains.keys()].join(', ')}`)
    const listed = catalog.tokens.get(keyOf(id))
    if (listed) return listed
    const discovery = await learner.learn(id, scope === 'public' ? 'public' : 'held')
    if (discovery === 'no-token')
      throw tokenNotFound(`There is no ERC-20 token at that address of chain ${id.chainId}`)
    // Falls back to the stored description if no source answers, unless it was read for the token's holders.
    const token = (await findIn(scope, [id])).get(keyOf(id))
    if (token) {
      lookedUp.set(keyOf(id), id)
      return token
    }
    throw tokenMetadataUnavailable('Nobody who knows the token answers; try again in a moment')
  }

  let chosen: { until: number; tokens: readonly TokenId[] } = { until: 0, tokens: [] }

  /** Lists looked-up tokens and accounts' tokens, then those that sources described last. */
  async function listWanted(limit: number, places: number): Promise<readonly TokenId[]> {
    const named = (rows: readonly { chainId: number; address: string }[]) =>
      rows.map(({ chainId, address }) => ({ chainId, address: getAddress(address) }))
    const newest = named(await listKnownTokens(database, limit + 1))
    if (newest.length <= places) return newest
    if (chosen.until < Date.now())
      chosen = {
        until: Date.now() + CHOSEN_MS,
        tokens: named(await listTokensByAccounts(database, limit)),
      }
    const sought = [...lookedUp.inTurns().take(Math.floor(places * LOOKED_UP_PART))]
    const ofAccounts = chosen.tokens.slice(0, places - sought.length)
    return [...new Map([...sought, ...ofAccounts, ...newest].map((id) => [keyOf(id), id])).values()]
  }

  /** Returns the catalogue's entry as a source, beside the stored ones. */
  function ownSource(token: Token): TokenSource[] {
    const { symbol, name, decimals, logoUri, metadataSource } = token
    const told = { sourceId: keyOf(token), symbol, name, decimals, logoUrl: logoUri, externalUrl: null }
    if (metadataSource === 'configuration')
      return [{ ...told, source: 'configuration', firstSeenAt: startedAt, lastSeenAt: startedAt }]
    if (metadataSource !== 'token-list' || !catalog.list) return []
    const { name: listName, publishedAt } = catalog.list
    return [{ ...told, source: `token-list:${listName}`, firstSeenAt: publishedAt, lastSeenAt: publishedAt }]
  }

  const describe: Tokens['describe'] = async (tokens, include) => {
    const [sources, known] = await Promise.all([
      include.has('sources') ? readSources(tokens, 'public') : null,
      include.has('market') ? markets.read(tokens) : null,
    ])
    return tokens.map((token): DescribedToken => ({
      token,
      ...(sources && {
        sources: [...ownSource(token), ...(sources.get(keyOf(token)) ?? []).map(withoutMoment)],
      }),
      ...(known && { market: known.get(keyOf(token)) ?? null }),
    }))
  }

  /** Hides market data that was fetched before the token was looked up: it was fetched for holders, and would reveal them. */
  async function hideHolders(described: DescribedToken): Promise<DescribedToken> {
    const { token, market } = described
    if (!market || catalog.tokens.has(keyOf(token))) return described
    const sources = (await readSources([token], 'public')).get(keyOf(token)) ?? []
    const since = Math.min(...sources.map(({ firstSeenAt }) => firstSeenAt.getTime()))
    return market.fetchedAt.getTime() >= since ? described : { ...described, market: null }
  }

  async function lookupIn(scope: 'public' | 'all', id: TokenId, include: ReadonlySet<TokenExtra>) {
    const [described] = await describe([await lookupToken(id, scope)], include)
    if (!described) throw new Error('a token was described as nothing')
    return described
  }

  return {
    find: async (id) => (await findMany([id])).get(keyOf(id)) ?? null,
    findPublic,
    findMany,
    describe,
    async learnMany(ids) {
      const known = await findMany(ids)
      const missing = ids.filter((id) => !known.has(keyOf(id)) && chains.has(id.chainId))
      if (missing.length === 0) return known
      await learner.learnMany(missing)
      return new Map([...known, ...(await findMany(missing))])
    },
    maxUnlisted: config.maxUnlisted,
    isListed: (id) => catalog.tokens.has(keyOf(id)) || named.has(keyOf(id)),
    lookup: async (id, include) => hideHolders(await lookupIn('public', id, include)),
    lookupHeld: (id, include) => lookupIn('all', id, include),
    async catalog({ include, ...query }) {
      const { tokens, nextCursor } = searchCatalog(catalog, query)
      const { pinnedSymbols, testnetToMainnet } = catalog
      return { tokens: await describe(tokens, include), pinnedSymbols, testnetToMainnet, nextCursor }
    },
    async popular(chainId) {
      if (!chains.has(chainId)) return { source: 'trending', tokens: [] }
      const known = new Map<TokenKey, Token>()
      const { source, tokens } = await markets.popular(chainId, async (ids) => {
        for (const [key, token] of await findIn('public', ids)) if (!token.spam) known.set(key, token)
        return ids.filter((id) => known.has(keyOf(id)))
      })
      const shown = tokens.flatMap(({ id, ...changes }) => {
        const token = known.get(keyOf(id))
        return token ? [{ token, ...changes }] : []
      })
      if (shown.length > 0) return { source, tokens: shown }
      // Without trading data, the operator's configured tokens.
      const chosen = [...catalog.tokens.values()].filter(
        (token) => token.chainId === chainId && token.metadataSource === 'configuration' && !token.spam,
      )
      return { source, tokens: chosen.map((token) => ({ token, change6h: null, change24h: null })) }
    },
    async watched(limit) {
      const listed = [...catalog.tokens.values()].slice(0, limit)
      const wanted = await listWanted(limit, limit - listed.length)
      const others = await findMany(wanted)
      const honest = [...others.values()].filter(
        (token) => !token.spam && chains.has(token.chainId) && !catalog.tokens.has(keyOf(token)),
      )
      return [...listed, ...honest].slice(0, limit).map(({ chainId, address }) => ({ chainId, address }))
    },
    async recognise(provider, coinOf) {
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
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
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
