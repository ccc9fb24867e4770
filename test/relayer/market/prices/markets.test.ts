import type { TokenId } from '../../../../relayer/market/tokens/token-id.ts'
import { pino } from 'pino'
import { zeroAddress, type Address } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { recordPrices, samplePrices } from '../../../../db/market/prices/token-prices.ts'
import { createCoingeckoClient } from '../../../../relayer/market/prices/coingecko/ask-coingecko.ts'
import { pricesConfig, type CoingeckoConfig } from '../../../../relayer/market/prices/config.ts'
import { createMarkets } from '../../../../relayer/market/prices/create-markets.ts'
import { parseUsd } from '../../../../relayer/market/prices/usd.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { startPriceProvider, type PriceProvider } from './start-price-provider.ts'

const A: Address = '0x1000000000000000000000000000000000000001'
const B: Address = '0x2000000000000000000000000000000000000002'
const C: Address = '0x3000000000000000000000000000000000000003'

let database: TestDatabase
let provider: PriceProvider
const recognised: [string, string | undefined][] = []
beforeAll(async () => {
  provider = await startPriceProvider()
})
afterAll(() => provider?.stop())
beforeEach(async () => {
  database = await openTestDatabase()
  provider.answerWith(null)
  provider.trending = []
  const now = Math.floor(Date.now() / 1_000)
  const coin = (id: string, address: Address, volume: string) => ({
    id,
    symbol: id,
    name: id,
    platforms: { ethereum: address },
    usd: '2',
    updatedAt: now,
    market: { total_volume: volume, market_cap: '123456789012345678901234567890' },
  })
  provider.coins = [coin('a', A, '100.5'), coin('b', B, '3e9'), coin('c', C, '200')]
  provider.take()
})
afterEach(() => database.drop())

function open() {
  const config = pricesConfig.parse({
    sources: [{ kind: 'coingecko', url: provider.url, requestsPerMinute: 10_000 }],
  })
  const source = config.sources[0] as CoingeckoConfig
  return createMarkets({
    database: database.pool,
    config,
    provider: { ask: createCoingeckoClient(source), config: source },
    chainIds: [1],
    recognise: async (source, coinOf) => {
      for (const address of [A, zeroAddress, '0x4000000000000000000000000000000000000004'] as const)
        recognised.push([source, coinOf({ chainId: 1, address })?.id])
    },
    watched: async () => [A, B, zeroAddress].map((address) => ({ chainId: 1, address })),
    logger: pino({ level: 'silent' }),
  })
}

it('markets of watched tokens are stored exactly', async () => {
  const markets = open()
  await markets.refresh()
  const read = await markets.read([A, B, C].map((address) => ({ chainId: 1, address })))
  expect([...read.keys()].sort()).toEqual([`1:${A}`, `1:${B}`])
  expect(read.get(`1:${A}`)).toMatchObject({
    provider: 'coingecko',
    providerAssetId: 'a',
    vsCurrency: 'usd',
    figures: { price: '2', totalVolume: '100.5', marketCap: '123456789012345678901234567890' },
    stale: false,
  })
  expect(recognised.slice(0, 3)).toEqual([
    ['coingecko', 'a'],
    ['coingecko', 'ethereum'],
    ['coingecko', undefined],
  ])
  const [, request] = provider.take()
  expect([request?.path, request?.params.get('ids')]).toEqual(['/api/v3/coins/markets', 'a,b,ethereum'])
})

it('a coin whose volume has a hundred digits costs the other coins nothing', async () => {
  provider.coins = provider.coins.map((coin) =>
    coin.id === 'b' ? { ...coin, market: { ...coin.market, total_volume: `${'9'.repeat(50)}e50` } } : coin,
  )
  const markets = open()
  await markets.refresh()
  const read = await markets.read([A, B].map((address) => ({ chainId: 1, address })))
  expect(read.get(`1:${A}`)?.figures).toMatchObject({ totalVolume: '100.5' })
  expect(read.get(`1:${B}`)?.figures.totalVolume).toHaveLength(100)
})

it('an older observation does not replace a newer one', async () => {
  const markets = open()
  await markets.refresh()
  provider.coins = provider.coins.map((coin) => ({
    ...coin,
    usd: '9',
    updatedAt: (coin.updatedAt ?? 0) - 600,
  }))
  await database.pool.query(sql.typeAlias('void')`update price_round set next_at = now()`)
  await markets.refresh()
  expect((await markets.read([{ chainId: 1, address: A }])).get(`1:${A}`)?.figures).toMatchObject({
    price: '2',
  })
})

it('markets are stale when no round has succeeded for long', async () => {
  const markets = open()
  await markets.refresh()
  await database.pool.query(sql.typeAlias('void')`
    update token_market set market_observed_at = now() - interval '1 hour'`)
  expect((await markets.read([{ chainId: 1, address: A }])).get(`1:${A}`)?.stale).toBe(true)
})

const all = async (ids: readonly TokenId[]) => ids

it('the most traded tokens are popular where nothing is trending', async () => {
  const markets = open()
  expect(await markets.popular(1, all)).toEqual({ source: 'venue-popular', tokens: [] })
  await markets.refresh()
  const popular = await markets.popular(1, all)
  expect(popular.source).toBe('venue-popular')
  expect(popular.tokens.map(({ id }) => id.address)).toEqual([B, A])
  expect((await markets.popular(10, all)).tokens).toEqual([])
})

it('trending tokens are popular, in order, with the change of their price', async () => {
  provider.trending = ['unheard-of', 'c', 'a']
  const price = (usd: string) => ({ chainId: 1, address: C, usd: parseUsd(usd), observedAt: new Date() })
  for (const [usd, hours] of [
    ['2', 6],
    ['8', 24],
  ] as const) {
    await recordPrices(database.pool, 'test', [price(usd)])
    await samplePrices(database.pool)
    await database.pool.query(sql.typeAlias('void')`
      update price_sample set hour = hour - make_interval(hours => ${hours}) where hour = date_trunc('hour', now())`)
  }
  await recordPrices(database.pool, 'test', [price('3')])
  const markets = open()
  await markets.refresh()
  const { source, tokens } = await markets.popular(1, all)
  expect(source).toBe('trending')
  expect(tokens).toMatchObject([
    { id: { address: C }, change6h: { percentage: 50 }, change24h: { percentage: -62.5 } },
    { id: { address: A }, change6h: null, change24h: null },
  ])
})

it('unshown tokens are left out first: then the most traded are popular, then those with a price', async () => {
  provider.trending = ['a']
  const markets = open()
  await markets.refresh()
  const but =
    (...hidden: string[]) =>
    async (ids: readonly TokenId[]) =>
      ids.filter(({ address }) => !hidden.includes(address))
  expect((await markets.popular(1, all)).source).toBe('trending')
  expect(await markets.popular(1, but(A))).toMatchObject({
    source: 'venue-popular',
    tokens: [{ id: { address: B } }],
  })
  await recordPrices(database.pool, 'test', [
    { chainId: 1, address: C, usd: parseUsd('1'), observedAt: new Date() },
  ])
  expect(await markets.popular(1, but(A, B))).toMatchObject({
    source: 'venue-popular',
    tokens: [{ id: { address: C } }],
  })
  expect((await markets.popular(1, but(A, B, C))).tokens).toEqual([])
})

it('the service keeps markets when the provider fails, and asks for them again in the next round', async () => {
  const markets = open()
  provider.answerWith((response) => response.writeHead(404).end())
  await markets.refresh()
  expect((await markets.popular(1, all)).tokens).toEqual([])
  provider.answerWith(null)
  await markets.refresh()
  expect((await markets.popular(1, all)).tokens).toEqual([])
  await database.pool.query(sql.typeAlias('void')`update price_round set next_at = now()`)
  await markets.refresh()
  expect((await markets.popular(1, all)).tokens).toHaveLength(2)
})
