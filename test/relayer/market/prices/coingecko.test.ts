import { zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createCoingeckoClient,
  ProviderError,
} from '../../../../relayer/market/prices/coingecko/ask-coingecko.ts'
import { createCoingeckoTokens } from '../../../../relayer/market/prices/coingecko/describe-token.ts'
import { readCoinNames } from '../../../../relayer/market/prices/coingecko/read-coin-names.ts'
import { createCoingeckoPrices } from '../../../../relayer/market/prices/coingecko/read-coingecko-prices.ts'
import { readCoingeckoMarkets } from '../../../../relayer/market/prices/coingecko/read-coingecko-markets.ts'
import { pricesConfig, type CoingeckoConfig } from '../../../../relayer/market/prices/config.ts'
import type { ReportedPrice } from '../../../../relayer/market/prices/prices.ts'
import { parseUsd } from '../../../../relayer/market/prices/usd.ts'
import { startPriceProvider, type PriceProvider } from './start-price-provider.ts'

const KEY = 'CG-secret-key-of-the-test'
let provider: PriceProvider
beforeAll(async () => {
  provider = await startPriceProvider()
})
afterAll(() => provider?.stop())
beforeEach(() => {
  provider.coins = []
  provider.answerWith(null)
  provider.take()
})

function configOf(members: Record<string, unknown> = {}): CoingeckoConfig {
  const source = { kind: 'coingecko', url: provider.url, apiKey: KEY, requestsPerMinute: 10_000, ...members }
  return pricesConfig.parse({ sources: [source] }).sources[0] as CoingeckoConfig
}

const addressOf = (index: number): Address => `0x${String(index).padStart(40, '0')}`
const coinOf = (index: number, usd: string, updatedAt = 1_700_000_000) => ({
  id: `coin-${index}`,
  symbol: `c${index}`,
  name: `Coin ${index}`,
  platforms: { ethereum: addressOf(index) },
  usd,
  updatedAt,
})

async function readAll(tokens: { chainId: number; address: Address }[], members = {}) {
  const config = configOf(members)
  const quotes: ReportedPrice[] = []
  await createCoingeckoPrices(createCoingeckoClient(config), config).read(tokens, new Map(), async (told) => {
    quotes.push(...told)
  })
  return quotes
}

describe('prices', () => {
  it('have all their digits and the time of observation', async () => {
    provider.coins = [coinOf(1, '1234567.000000000000000000123'), coinOf(2, '1.5e-11')]
    expect(await readAll([1, 2, 3].map((index) => ({ chainId: 1, address: addressOf(index) })))).toEqual([
      {
        id: { chainId: 1, address: addressOf(1) },
        usd: parseUsd('1234567.000000000000000000123'),
        observedAt: new Date(1_700_000_000_000),
      },
      {
        id: { chainId: 1, address: addressOf(2) },
        usd: parseUsd('0.000000000015'),
        observedAt: new Date(1_700_000_000_000),
      },
    ])
  })

  it('of native coins are asked for by name, once for all chains', async () => {
    provider.coins = [{ id: 'ethereum', symbol: 'eth', name: 'Ethereum', platforms: {}, usd: '3000.5' }]
    const quotes = await readAll([1, 10, 424_242].map((chainId) => ({ chainId, address: zeroAddress })))
    expect(quotes.map(({ id, usd }) => [id.chainId, usd])).toEqual([
      [1, parseUsd('3000.5')],
      [10, parseUsd('3000.5')],
    ])
    expect(provider.take().map(({ path, params }) => [path, params.get('ids')])).toEqual([
      ['/api/v3/simple/price', 'ethereum'],
    ])
  })

  it('are asked for in batches by chain, in random order, with the key in a header', async () => {
    const tokens = Array.from({ length: 5 }, (_, index) => ({ chainId: 1, address: addressOf(9 - index) }))
    await readAll([...tokens, { chainId: 31_337, address: addressOf(1) }], { batchSize: 2 })
    const requests = provider.take()
    expect(requests.map(({ params }) => params.get('contract_addresses')?.split(','))).toEqual([
      [addressOf(5), addressOf(6)],
      [addressOf(7), addressOf(8)],
      [addressOf(9)],
    ])
    expect(requests.every(({ key }) => key === KEY)).toBe(true)
    expect(requests.every(({ params }) => !params.toString().includes(KEY))).toBe(true)
  })

  it.each(['0', '-1', 'null', '1e300', '1e-50'])('are missing when the provider says %s', async (usd) => {
    provider.coins = [coinOf(1, usd)]
    expect(await readAll([{ chainId: 1, address: addressOf(1) }])).toEqual([])
  })

  it('that are unreasonable do not affect others of their batch', async () => {
    provider.coins = [
      coinOf(1, '1e45'),
      coinOf(2, '1234567890123456789012345678901234567890123.5'),
      coinOf(3, '2.5'),
    ]
    const ids = [1, 2, 3].map((index) => ({ chainId: 1, address: addressOf(index) }))
    const quotes = await readAll(ids)
    expect(quotes.map(({ id, usd }) => [id.address, usd])).toEqual([[addressOf(3), parseUsd('2.5')]])
  })

  it('with a time in the future count as observed now', async () => {
    provider.coins = [coinOf(1, '1', Math.floor(Date.now() / 1_000) + 86_400)]
    const [quote] = await readAll([{ chainId: 1, address: addressOf(1) }])
    expect(quote?.observedAt.getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('may be of a platform that the configuration names', async () => {
    provider.coins = [{ ...coinOf(1, '2'), platforms: { devnet: addressOf(1) } }]
    const platforms = { 31_337: { platform: 'devnet' } }
    expect(await readAll([{ chainId: 31_337, address: addressOf(1) }], { platforms })).toHaveLength(1)
  })
})

describe('a provider that fails', () => {
  const read = (members = {}) => readAll([{ chainId: 1, address: addressOf(1) }], members)

  it.each([
    ['is ill', 500, '{}'],
    ['refuses the key', 401, '{"status":{"error_code":10002}}'],
    ['sends no JSON', 200, '<html>'],
    ['sends another shape', 200, '[1,2]'],
    ['sends prices as objects', 200, `{"${addressOf(1)}":{"usd":{"evil":1}}}`],
  ])('%s', async (_, status, body) => {
    provider.answerWith((response) => response.writeHead(status).end(body))
    const error = await read().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProviderError)
    expect(String((error as Error).stack)).not.toMatch(/CG-secret|0x0000/)
  })

  it('is given up when it is too slow', async () => {
    provider.answerWith(() => {})
    await expect(read({ timeoutMs: 150 })).rejects.toThrow(ProviderError)
  })

  it('is given up when its answer never ends', async () => {
    provider.answerWith((response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) continue
      }
      response.on('drain', pour)
      response.on('error', () => {})
      pour()
    })
    await expect(read()).rejects.toThrow('more than')
  })

  it('is not followed when it redirects', async () => {
    provider.answerWith((response) =>
      response.writeHead(302, { location: `${provider.url}/coins/list` }).end(),
    )
    await expect(read()).rejects.toThrow(ProviderError)
    expect(provider.take()).toHaveLength(1)
  })

  it('gets the pause that it asks for', async () => {
    const config = configOf()
    const ask = createCoingeckoClient(config)
    provider.answerWith((response) => response.writeHead(429, { 'retry-after': '30' }).end('{}'))
    await expect(ask('/ping')).rejects.toThrow('429')
    provider.answerWith(null)
    await expect(ask('/ping')).rejects.toThrow('pause')
    expect(provider.take()).toHaveLength(1)
  })
})

it('the provider is asked one request after another, no faster than allowed', async () => {
  let open = 0
  let most = 0
  provider.answerWith((response) => {
    most = Math.max(most, (open += 1))
    setTimeout(() => {
      open -= 1
      response.end('{}')
    }, 20)
  })
  const ask = createCoingeckoClient(configOf({ requestsPerMinute: 600 }))
  const start = Date.now()
  await Promise.all(Array.from({ length: 4 }, () => ask('/ping')))
  expect(most).toBe(1)
  expect(Date.now() - start).toBeGreaterThanOrEqual(290)
})

it('a request that would wait behind many others is not sent', async () => {
  const ask = createCoingeckoClient(configOf())
  provider.answerWith((response) => void setTimeout(() => response.end('{}'), 30))
  const rounds = Array.from({ length: 4 }, () => ask('/ping'))
  await expect(ask('/coins/x', {}, 3)).rejects.toThrow('much to answer')
  await Promise.all(rounds)
  await expect(ask('/coins/x', {}, 3)).resolves.toEqual({})
  expect(provider.take()).toHaveLength(5)
})

it('running and waiting requests end when the service stops', async () => {
  const ending = new AbortController()
  const ask = createCoingeckoClient(configOf({ requestsPerMinute: 1 }), ending.signal)
  provider.answerWith(() => ending.abort())
  const asked = Promise.allSettled([ask('/ping'), ask('/ping'), ask('/ping')])
  expect((await asked).every((outcome) => outcome.status === 'rejected')).toBe(true)
  await expect(ask('/ping')).rejects.toThrow(ProviderError)
  expect(provider.take()).toHaveLength(1)
})

describe('tokens', () => {
  const describeToken = (chainId: number, address: Address) => {
    const config = configOf()
    return createCoingeckoTokens(createCoingeckoClient(config), config).describe({ chainId, address })
  }

  it('are described by their contract', async () => {
    provider.coins = [{ ...coinOf(1, '1'), decimals: 6 }]
    expect(await describeToken(1, addressOf(1))).toEqual({
      sourceId: 'coin-1',
      symbol: 'C1',
      name: 'Coin 1',
      decimals: 6,
      logoUrl: 'https://provider.example/s.png',
      externalUrl: 'https://coin.example',
    })
  })

  it('that it does not know are null, and unknown chains are not asked about', async () => {
    expect(await describeToken(1, addressOf(7))).toBeNull()
    expect(provider.take()).toHaveLength(1)
    expect(await describeToken(31_337, addressOf(7))).toBeNull()
    expect(await describeToken(1, zeroAddress)).toBeNull()
    expect(provider.take()).toEqual([])
  })
})

describe('markets', () => {
  it('are read from their figures, whatever else is in the answer', async () => {
    provider.coins = [
      {
        ...coinOf(1, '0.123456789012345678901'),
        market: {
          market_cap: '1.5e9',
          market_cap_rank: '12',
          total_volume: '98765432.5',
          price_change_24h: '-0.01',
          max_supply: 'null',
          ath: '"high"',
          ath_date: '"2021-05-12T14:41:48.623Z"',
          atl_date: '"yesterday"',
        },
      },
      { ...coinOf(2, '1'), id: '' },
      { ...coinOf(3, '1'), id: 'coin\u0000' },
    ]
    const pages = []
    for await (const page of readCoingeckoMarkets(createCoingeckoClient(configOf()), [
      'coin-1',
      '',
      'coin-3',
    ]))
      pages.push(...page)
    expect(pages).toEqual([
      {
        provider: 'coingecko',
        providerAssetId: 'coin-1',
        figures: {
          price: '0.123456789012345678901',
          marketCap: '1500000000',
          totalVolume: '98765432.5',
          priceChange24h: '-0.01',
        },
        volume: 98_765_432n,
        marketCapRank: 12,
        athDate: '2021-05-12T14:41:48.623Z',
        atlDate: null,
        providerUpdatedAt: new Date(1_700_000_000_000),
        priceObservedAt: new Date(1_700_000_000_000),
        marketObservedAt: new Date(1_700_000_000_000),
      },
    ])
  })

  it('are of coins by the list of all', async () => {
    provider.coins = [
      coinOf(1, '1'),
      { ...coinOf(2, '1'), platforms: { ethereum: 'nonsense', base: addressOf(2) } },
    ]
    const config = configOf()
    const names = await readCoinNames(createCoingeckoClient(config), config, [1, 8453])
    expect(names.coinOf({ chainId: 1, address: addressOf(1) })).toEqual({
      id: 'coin-1',
      symbol: 'c1',
      name: 'Coin 1',
    })
    expect(names.coinOf({ chainId: 8453, address: addressOf(2) })?.id).toBe('coin-2')
    expect(names.coinOf({ chainId: 1, address: addressOf(2) })).toBeUndefined()
    expect(names.tokensOf('ethereum').map(({ chainId }) => chainId)).toEqual([1, 8453])
  })
})
