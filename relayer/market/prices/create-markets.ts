import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { getAddress } from 'viem'
import { claimRound } from '../../../db/market/prices/price-rounds.ts'
import {
  listMarkets,
  listMostTraded,
  listPriced,
  listTrending,
  recordMarkets,
  replaceTrending,
  type NewTokenMarket,
} from '../../../db/market/prices/token-markets.ts'
import { listPriceChanges } from '../../../db/market/prices/token-prices.ts'
import { writeApart } from '../../concurrency/write-apart.ts'
import { keyOf, type TokenId, type TokenKey } from '../tokens/token-id.ts'
import type { Markets } from '../tokens/token-provider.ts'
import type { PriceChange, TokenMarket } from '../tokens/tokens.ts'
import type { CoingeckoConfig, PricesConfig } from './config.ts'
import type { AskCoingecko } from './coingecko/ask-coingecko.ts'
import { readCoingeckoMarkets, readTrending } from './coingecko/read-coingecko-markets.ts'
import { readCoinNames, type CoinNames } from './coingecko/read-coin-names.ts'

const POPULAR = 25
const NAMES_AGE_MS = 86_400_000

/** Dependencies of the markets. */
export interface MarketsParts {
  database: DatabasePool
  config: PricesConfig
  /** Null if no provider of markets is configured. */
  provider: { ask: AskCoingecko; config: CoingeckoConfig } | null
  chainIds: readonly number[]
  watched(): Promise<readonly TokenId[]>
  /** Called in each round with the provider's tokens, so that single tokens need no request. */
  recognise(provider: string, coinOf: CoinNames['coinOf']): Promise<void>
  logger: Logger
}

/** The tokens' markets, and the rounds that read them. */
export interface OpenMarkets extends Markets {
  /** Reads the provider now, if this instance's turn has come; concurrent calls share one round. */
  refresh(): Promise<void>
}

/** Creates the markets over PostgreSQL, where instances and restarts share the answers. */
export function createMarkets(parts: MarketsParts): OpenMarkets {
  const { database, config, provider, chainIds, watched, recognise, logger } = parts
  const staleAfterMs = Math.max(3 * config.marketRefreshMs, config.freshForMs)
  let names: { read: CoinNames; at: number } | null = null
  let running: Promise<void> | null = null

  async function record(markets: readonly NewTokenMarket[]): Promise<void> {
    const refused = await writeApart(database, markets, recordMarkets)
    const coins = refused.map(({ row, code }) => ({ coin: row.providerAssetId, code }))
    if (coins.length > 0) logger.error({ coins }, 'the database refused the figures of some markets')
  }

  async function runRound(): Promise<void> {
    if (!provider || !(await claimRound(database, 'markets', config.marketRefreshMs))) return
    try {
      if (!names || Date.now() - names.at > NAMES_AGE_MS)
        names = { read: await readCoinNames(provider.ask, provider.config, chainIds), at: Date.now() }
      const { read } = names
      await recognise('coingecko', read.coinOf)
      const wanted = Map.groupBy(await watched(), (token) => read.coinOf(token)?.id ?? '')
      wanted.delete('')
      for await (const page of readCoingeckoMarkets(provider.ask, [...wanted.keys()]))
        await record(
          page.flatMap((market) =>
            (wanted.get(market.providerAssetId) ?? []).map(({ chainId, address }) => ({
              ...market,
              chainId,
              address,
            })),
          ),
        )
      const trending = await readTrending(provider.ask)
      await replaceTrending(
        database,
        trending.flatMap((coinId) => read.tokensOf(coinId)),
      )
    } catch (error) {
      logger.warn({ err: error }, 'the markets could not be read')
    }
  }

  return {
    async read(ids) {
      const rows = ids.length > 0 ? await listMarkets(database, ids) : []
      return new Map(
        rows.map(({ chainId, address, ...row }): [TokenKey, TokenMarket] => [
          `${chainId}:${address}` as TokenKey,
          {
            ...row,
            vsCurrency: 'usd',
            stale: Date.now() - row.marketObservedAt.getTime() > staleAfterMs,
          },
        ]),
      )
    },
    popular: (chainId, listShown) => listPopular(database, chainId, listShown),
    refresh: () => (running ??= runRound().finally(() => (running = null))),
  }
}

/** Lists the trending tokens of a chain, or the most traded, or any with a price. */
async function listPopular(
  database: DatabasePool,
  ...[chainId, listShown]: Parameters<OpenMarkets['popular']>
): ReturnType<OpenMarkets['popular']> {
  // Filtered first, so that trending spam does not displace other tokens.
  const shownOf = async (list: typeof listTrending) =>
    listShown(
      (await list(database, chainId, POPULAR)).map((row) => ({
        chainId: row.chainId,
        address: getAddress(row.address),
      })),
    )
  const trending = await shownOf(listTrending)
  const source = trending.length > 0 ? 'trending' : 'venue-popular'
  let ids = trending
  if (ids.length === 0) ids = await shownOf(listMostTraded)
  if (ids.length === 0) ids = await shownOf(listPriced)
  if (ids.length === 0) return { source, tokens: [] }
  const [change6h, change24h] = await Promise.all([
    readChanges(database, ids, 6),
    readChanges(database, ids, 24),
  ])
  return {
    source,
    tokens: ids.map((id) => ({
      id,
      change6h: change6h.get(keyOf(id)) ?? null,
      change24h: change24h.get(keyOf(id)) ?? null,
    })),
  }
}

async function readChanges(
  database: DatabasePool,
  ids: readonly TokenId[],
  hours: number,
): Promise<Map<TokenKey, PriceChange>> {
  const rows = await listPriceChanges(database, ids, hours)
  return new Map(
    rows.map(({ chainId, address, usd, earlierUsd, observedAt }) => [
      `${chainId}:${address}` as TokenKey,
      // Computed in whole hundredths of a percent; the API returns a number.
      { percentage: Number(((usd - earlierUsd) * 10_000n) / earlierUsd) / 100, observedAt },
    ]),
  )
}
