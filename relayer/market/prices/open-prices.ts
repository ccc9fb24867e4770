import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Chains } from '../../chain/nodes/chain.ts'
import { type TokenId, keyOf, tokenIdOf, type TokenKey } from '../tokens/token-id.ts'
import type { TokenProvider } from '../tokens/token-provider.ts'
import { createCoingeckoClient, type AskCoingecko } from './coingecko/ask-coingecko.ts'
import { createCoingeckoTokens } from './coingecko/describe-token.ts'
import { createCoingeckoPrices } from './coingecko/read-coingecko-prices.ts'
import type { CoingeckoConfig, PricesConfig, PriceSourceConfig } from './config.ts'
import { createMarkets, type MarketsParts, type OpenMarkets } from './create-markets.ts'
import { createUsdPrices } from './create-usd-prices.ts'
import type { Prices, Price, PriceSource } from './prices.ts'
import { createPoolPrices, listAssetPools } from './read-pool-prices.ts'
import { type ChainConfig, NATIVE_ASSET } from '../../chain/nodes/config.ts'
import { parseUsd } from './usd.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'

/** Milliseconds for which a client may see a price of the previous round. */
const REMEMBERED_MS = 1_000

/** Everything that the configured sources provide. */
export interface PriceDesk {
  prices: Prices
  markets: OpenMarkets
  /** Providers that describe single tokens. */
  tokenProviders: readonly TokenProvider[]
  /** Starts the rounds, without waiting for the first. */
  start(): void
  /** Stops the rounds and aborts the running one. */
  stop(): Promise<void>
}

/** Sets up the sources in the order of the configuration; the chains' own pools come last. */
export function openPrices(parts: {
  database: DatabasePool
  chains: Chains
  config: PricesConfig
  /** Returns the tokens to read. Only rounds call it, so it may refer to parts that are created later. */
  watched(limit: number): Promise<readonly TokenId[]>
  /** Receives the tokens that a provider knows (create-markets.ts). */
  recognise: MarketsParts['recognise']
  logger: Logger
}): PriceDesk {
  const { database, chains, config, logger } = parts
  const watched = () => parts.watched(config.maxWatched)
  const ending = new AbortController()
  const clients = new Map<CoingeckoConfig, AskCoingecko>()
  for (const source of config.sources)
    if (source.kind === 'coingecko') clients.set(source, createCoingeckoClient(source, ending.signal))
  const providers = [...clients].map(([settings, ask]) => ({ ask, config: settings }))

  const stored = createUsdPrices({
    database,
    config,
    sources: listSources(chains, config, clients),
    fixed: listFixedPrices(config.sources),
    fallback: listChainPrices([...chains.values()].map((chain) => chain.config)),
    watched,
    logger,
  })
  const prices = rememberPrices(stored, REMEMBERED_MS)
  const markets = createMarkets({
    database,
    config,
    provider: providers[0] ?? null,
    chainIds: [...chains.keys()],
    watched,
    recognise: parts.recognise,
    logger,
  })

  const timers: NodeJS.Timeout[] = []
  const running = new Set<Promise<void>>()
  function run(refresh: () => Promise<void>): void {
    const round = refresh()
      .catch((error: unknown) => logger.warn({ err: error }, 'a round of price reads failed'))
      .finally(() => running.delete(round))
    running.add(round)
  }
  return {
    prices,
    markets,
    tokenProviders: providers.map(({ ask, config: settings }) => createCoingeckoTokens(ask, settings)),
    start() {
      for (const [refresh, everyMs] of [
        [() => stored.refresh().finally(prices.forget), config.refreshMs],
        [markets.refresh, config.marketRefreshMs],
      ] as const) {
        run(refresh)
        // More often than a round is due: another instance may have claimed the last round, and stopped.
        timers.push(setInterval(() => run(refresh), Math.max(everyMs / 4, 250)).unref())
      }
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      ending.abort()
      await Promise.all(running)
    },
  }
}

/** Lists the sources in the order of the configuration; the pools that price the chains' own assets come last. */
function listSources(
  chains: Chains,
  config: PricesConfig,
  clients: ReadonlyMap<CoingeckoConfig, AskCoingecko>,
): PriceSource[] {
  const named = config.sources.flatMap((source): PriceSource[] => {
    if (source.kind === 'fixed') return []
    if (source.kind === 'uniswap-v3') return [createPoolPrices(chains, source.pools)]
    const ask = clients.get(source)
    return ask ? [createCoingeckoPrices(ask, source)] : []
  })
  const ofAssets = listAssetPools(chains)
  return ofAssets.length > 0 ? [...named, createPoolPrices(chains, ofAssets)] : named
}

/** Lists the operator's fixed prices. */
export function listFixedPrices(sources: readonly PriceSourceConfig[]): Map<TokenKey, bigint> {
  const fixed = sources.flatMap((source) => (source.kind === 'fixed' ? source.prices : []))
  return new Map(
    fixed.map(({ chainId, address, usd }) => [keyOf(tokenIdOf(chainId, address)), parseUsd(usd)] as const),
  )
}

/**
 * Lists prices from the chains' settings, for local chains and testnets: the native coin's, and those of assets with
 * a fixed rate against it.
 */
export function listChainPrices(chains: readonly ChainConfig[]): Map<TokenKey, bigint> {
  const prices = new Map<TokenKey, bigint>()
  for (const { chainId, nativeUsd, relayer } of chains) {
    if (nativeUsd === undefined) continue
    const native = parseUsd(nativeUsd)
    if (native === 0n) continue
    prices.set(keyOf(tokenIdOf(chainId, NATIVE_ASSET)), native)
    for (const { asset, decimals, price } of relayer?.assets ?? []) {
      if (price?.kind !== 'fixed') continue
      const usd = (native * 10n ** BigInt(decimals)) / price.tokenPerNative
      if (usd > 0n) prices.set(keyOf(tokenIdOf(chainId, asset)), usd)
    }
  }
  return prices
}

/** Maximum of cached prices. */
const MAX_REMEMBERED = 10_000

interface Reading {
  prices: Promise<ReadonlyMap<TokenKey, Price | null>>
  /** Milliseconds of the monotonic clock. */
  until: number
}

/**
 * Caches each price for a moment, because a quote and its submission read the same two prices several times. Prices
 * change once a minute, and another instance's round may show a moment late. A failed read is not cached.
 *
 * @param forMs Milliseconds from the start of a read.
 */
export function rememberPrices({ read }: Prices, forMs: number): Prices & { forget(): void } {
  let known = new SharedPlaces<TokenKey, Reading>(MAX_REMEMBERED)

  function recall(key: TokenKey): Reading | null {
    const reading = known.get(key)
    return reading && performance.now() < reading.until ? reading : null
  }

  function ask(ids: readonly TokenId[]): Reading {
    const reading = { prices: read(ids), until: performance.now() + forMs }
    for (const id of ids) known.set(keyOf(id), reading)
    reading.prices.catch(() => (reading.until = 0))
    return reading
  }

  return {
    async read(tokens) {
      const readings = new Map(tokens.map((id) => [keyOf(id), recall(keyOf(id))]))
      const missing = tokens.filter((id) => readings.get(keyOf(id)) === null)
      const asked = missing.length > 0 ? ask(missing) : null
      const priceOf = async (key: TokenKey, reading: Reading | null) =>
        (await (reading ?? asked)?.prices)?.get(key) ?? null
      return new Map(
        await Promise.all(
          [...readings].map(async ([key, reading]) => [key, await priceOf(key, reading)] as const),
        ),
      )
    },
    forget: () => void (known = new SharedPlaces(MAX_REMEMBERED)),
  }
}
