import { pino } from 'pino'
import { zeroAddress, type Address } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase, sql } from '../../../../db/connect-database.ts'
import { createCoingeckoClient } from '../../../../relayer/market/prices/coingecko/ask-coingecko.ts'
import { createCoingeckoPrices } from '../../../../relayer/market/prices/coingecko/read-coingecko-prices.ts'
import {
  pricesConfig,
  type CoingeckoConfig,
  type PricesConfig,
} from '../../../../relayer/market/prices/config.ts'
import { createUsdPrices, type OpenPrices } from '../../../../relayer/market/prices/create-usd-prices.ts'
import { listChainPrices, listFixedPrices } from '../../../../relayer/market/prices/open-prices.ts'
import { summarizePricing } from '../../../../relayer/market/prices/summarize-pricing.ts'
import { parseUsd } from '../../../../relayer/market/prices/usd.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { configOf } from '../tokens/start-token-world.ts'
import { startPriceProvider, type PriceProvider } from './start-price-provider.ts'

const A: Address = '0x1000000000000000000000000000000000000001'
const B: Address = '0x2000000000000000000000000000000000000002'
const idOf = (address: Address) => ({ chainId: 1, address })
const keyOf = (address: Address) => `1:${address}` as const

let database: TestDatabase
let provider: PriceProvider
beforeAll(async () => {
  provider = await startPriceProvider()
})
afterAll(() => provider?.stop())
beforeEach(async () => {
  database = await openTestDatabase()
  provider.answerWith(null)
  provider.take()
})
afterEach(() => database.drop())

const seconds = (ago: number) => Math.floor(Date.now() / 1_000) - ago
const coin = (address: Address, usd: string, ago = 0) => ({
  id: address,
  symbol: 'c',
  name: 'C',
  platforms: { ethereum: address },
  usd,
  updatedAt: seconds(ago),
})

interface Setup {
  config?: Partial<PricesConfig>
  fixed?: { chainId: number; address: string; usd: string }[]
  nativeUsd?: string
  pool?: TestDatabase['pool']
  /** Further providers, asked after the first. */
  more?: string[]
}

function open({
  config = {},
  fixed = [],
  nativeUsd,
  pool = database.pool,
  more = [],
}: Setup = {}): OpenPrices {
  const parsed = pricesConfig.parse({
    sources: [
      { kind: 'fixed', prices: fixed },
      ...[provider.url, ...more].map((url) => ({ kind: 'coingecko', url, requestsPerMinute: 10_000 })),
    ],
    ...config,
  })
  const sources = parsed.sources.slice(1) as CoingeckoConfig[]
  return createUsdPrices({
    database: pool,
    config: parsed,
    sources: sources.map((source) => createCoingeckoPrices(createCoingeckoClient(source), source)),
    fixed: listFixedPrices(parsed.sources),
    fallback: nativeUsd
      ? listChainPrices([configOf('http://127.0.0.1:1', { chainId: 1, nativeUsd })])
      : new Map(),
    watched: async () => [idOf(zeroAddress), idOf(A), idOf(B)],
    logger: pino({ level: 'silent' }),
  })
}

const makeDue = () =>
  database.pool.query(sql.typeAlias('void')`update price_round set next_at = now() - interval '1 second'`)

describe('prices', () => {
  it('are null until they were fetched, and where no source has one', async () => {
    provider.coins = [coin(A, '1.5')]
    const prices = open()
    expect(await prices.read([idOf(A), idOf(B)])).toEqual(
      new Map([
        [keyOf(A), null],
        [keyOf(B), null],
      ]),
    )
    await prices.refresh()
    const read = await prices.read([idOf(A), idOf(B)])
    expect(read.get(keyOf(A))).toMatchObject({ usd: parseUsd('1.5'), stale: false })
    expect(read.get(keyOf(B))).toBeNull()
  })

  it('are fetched in rounds, however often they are read', async () => {
    provider.coins = [coin(A, '1.5')]
    const prices = open()
    await prices.refresh()
    provider.take()
    await Promise.all(Array.from({ length: 20 }, () => prices.read([idOf(A)])))
    await prices.refresh()
    expect(provider.take()).toEqual([])
  })

  it('are fetched once by instances that share a database', async () => {
    provider.coins = [coin(A, '1.5')]
    const pool = await connectDatabase(database.url)
    const [one, two] = [open(), open({ pool })]
    await Promise.all([one.refresh(), one.refresh(), two.refresh(), two.refresh()])
    expect(provider.take().filter(({ path }) => path.endsWith('/simple/token_price/ethereum'))).toHaveLength(
      1,
    )
    expect((await two.read([idOf(A)])).get(keyOf(A))).toMatchObject({ usd: parseUsd('1.5') })
    await pool.end()
  })

  it('are stale after the target age and missing after the maximum age', async () => {
    provider.coins = [coin(A, '1', 400), coin(B, '2', 90_000)]
    const prices = open()
    await prices.refresh()
    const read = await prices.read([idOf(A), idOf(B)])
    expect(read.get(keyOf(A))).toMatchObject({ usd: parseUsd('1'), stale: true })
    expect(read.get(keyOf(B))).toBeNull()
  })

  it('that are too old are asked of the next source', async () => {
    const other = await startPriceProvider([coin(A, '3')])
    try {
      provider.coins = [coin(A, '2', 90_000)]
      const prices = open({ more: [other.url] })
      await prices.refresh()
      expect((await prices.read([idOf(A)])).get(keyOf(A))).toMatchObject({ usd: parseUsd('3'), stale: false })
    } finally {
      await other.stop()
    }
  })

  it('stay while the provider fails, and a partial round is kept', async () => {
    provider.coins = [coin(A, '1')]
    const prices = open({
      config: {
        sources: pricesConfig.parse({
          sources: [
            { kind: 'fixed', prices: [] },
            { kind: 'coingecko', url: provider.url, requestsPerMinute: 10_000, batchSize: 1 },
          ],
        }).sources,
      },
    })
    let answers = 0
    const [text] = [`{"${A}":{"usd":7,"last_updated_at":${seconds(0)}}}`]
    provider.answerWith((response) => {
      answers += 1
      // Native coins, the first contract, then the failure.
      if (answers === 1) response.end('{}')
      else if (answers === 2) response.end(text)
      else response.writeHead(500).end()
    })
    await prices.refresh()
    expect(answers).toBe(3)
    expect((await prices.read([idOf(A)])).get(keyOf(A))).toMatchObject({ usd: parseUsd('7') })
    await makeDue()
    await prices.refresh()
    expect((await prices.read([idOf(A)])).get(keyOf(A))).toMatchObject({ usd: parseUsd('7') })
  })

  it('are not replaced by older observations', async () => {
    provider.coins = [coin(A, '5', 10)]
    const prices = open()
    await prices.refresh()
    provider.coins = [coin(A, '4', 100)]
    await makeDue()
    await prices.refresh()
    expect((await prices.read([idOf(A)])).get(keyOf(A))?.usd).toBe(parseUsd('5'))
    provider.coins = [coin(A, '6', 5)]
    await makeDue()
    await prices.refresh()
    expect((await prices.read([idOf(A)])).get(keyOf(A))?.usd).toBe(parseUsd('6'))
  })

  it('that are fixed in the configuration are not asked of the provider', async () => {
    provider.coins = [coin(A, '9')]
    const prices = open({ fixed: [{ chainId: 1, address: A, usd: '1.01' }] })
    await prices.refresh()
    expect((await prices.read([idOf(A)])).get(keyOf(A))).toMatchObject({
      usd: parseUsd('1.01'),
      stale: false,
    })
    const asked = provider.take().map(({ params }) => params.get('contract_addresses'))
    expect(asked).toContain(B)
    expect(asked.some((text) => text?.includes(A))).toBe(false)
  })

  it("of the chain's settings count until a source has one", async () => {
    provider.coins = []
    const prices = open({ nativeUsd: '3000' })
    const native = async () => (await prices.read([idOf(zeroAddress)])).get(keyOf(zeroAddress))?.usd
    await prices.refresh()
    expect(await native()).toBe(parseUsd('3000'))
    provider.coins = [{ ...coin(zeroAddress, '3100'), id: 'ethereum', platforms: {} }]
    await makeDue()
    await prices.refresh()
    expect(await native()).toBe(parseUsd('3100'))
  })

  it('of another instance that has ended are read from the database', async () => {
    provider.coins = [coin(A, '1.5')]
    await open().refresh()
    provider.answerWith((response) => response.writeHead(500).end())
    expect((await open().read([idOf(A)])).get(keyOf(A))?.usd).toBe(parseUsd('1.5'))
  })
})

it("a token's price is derived from its fixed rate against the coin", () => {
  const asset = { asset: A, symbol: 'T', decimals: 6, minWithdrawAmount: 1 }
  const chain = configOf('http://127.0.0.1:1', {
    chainId: 1,
    nativeUsd: '3000',
    assets: [{ ...asset, price: { kind: 'fixed', tokenPerNative: '1500000000' } }],
  })
  expect(listChainPrices([chain]).get(keyOf(A))).toBe(parseUsd('2'))
})

describe('the pricing of a set of balances', () => {
  const priced = (amount: bigint, usd: string | null, at = 0) => ({
    amount,
    decimals: 0,
    price: usd === null ? null : { usd: parseUsd(usd), observedAt: new Date(at), stale: false },
  })

  it('counts tokens without a price separately and not as worthless', () => {
    expect(
      summarizePricing([
        priced(2n, '1.5', 1_000),
        priced(3n, null),
        priced(1n, '4', 5_000),
        priced(0n, null),
      ]),
    ).toEqual({
      totalUsd: parseUsd('7'),
      nonZeroAssetCount: 3,
      pricedAssetCount: 2,
      unpricedAssetCount: 1,
      oldestObservedAt: new Date(1_000),
      newestObservedAt: new Date(5_000),
    })
    expect(summarizePricing([priced(3n, null)])).toMatchObject({ totalUsd: null, oldestObservedAt: null })
    expect(summarizePricing([priced(0n, null)])).toMatchObject({ totalUsd: 0n, nonZeroAssetCount: 0 })
  })
})
