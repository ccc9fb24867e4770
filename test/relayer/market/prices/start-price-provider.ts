import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The provider's data of a coin. */
export interface ListedCoin {
  id: string
  symbol: string
  name: string
  /** Contract by platform. */
  platforms: Record<string, string>
  decimals?: number
  /** Dollars as JSON has them: the digits are sent as they stand. */
  usd?: string
  /** Seconds. */
  updatedAt?: number
  /** Further members of its market, as JSON. */
  market?: Record<string, string>
}

export interface PriceProvider {
  url: string
  coins: ListedCoin[]
  trending: string[]
  /** Path and query of each request, and the key it came with, since the last call. */
  take(): { path: string; params: URLSearchParams; key: string | undefined }[]
  /** From now on every request is answered so; null ends it. */
  answerWith(answer: ((response: ServerResponse) => void) | null): void
  stop(): Promise<void>
}

/** A server that speaks the part of CoinGecko's API v3 that the service uses, written after its documentation. */
export async function startPriceProvider(coins: ListedCoin[] = []): Promise<PriceProvider> {
  let requests: ReturnType<PriceProvider['take']> = []
  let override: ((response: ServerResponse) => void) | null = null
  const provider = { coins, trending: [] as string[] }

  const server = createServer((incoming: IncomingMessage, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://provider')
    const key = incoming.headers['x-cg-demo-api-key']
    requests.push({ path: pathname, params: searchParams, key: Array.isArray(key) ? key[0] : key })
    if (override) return override(outgoing)
    const body = answer(provider, pathname, searchParams)
    outgoing.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' })
    outgoing.end(body ?? '{"error":"coin not found"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    get coins() {
      return provider.coins
    },
    set coins(next) {
      provider.coins = next
    },
    get trending() {
      return provider.trending
    },
    set trending(next) {
      provider.trending = next
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    take() {
      const taken = requests
      requests = []
      return taken
    },
    answerWith: (next) => (override = next),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(
  { coins, trending }: { coins: ListedCoin[]; trending: string[] },
  path: string,
  params: URLSearchParams,
): string | null {
  const route = path.replace('/api/v3', '')
  const listOf = (name: string) => (params.get(name) ?? '').split(',')
  if (route === '/simple/price') return priceObject(coins, listOf('ids'), (coin) => [coin.id])
  const platform = /^\/simple\/token_price\/([\w-]+)$/.exec(route)?.[1]
  if (platform !== undefined)
    return priceObject(coins, listOf('contract_addresses'), (coin) => [coin.platforms[platform] ?? ''])
  if (route === '/coins/list')
    return JSON.stringify(coins.map(({ id, symbol, name, platforms }) => ({ id, symbol, name, platforms })))
  if (route === '/coins/markets')
    return `[${coins
      .filter(({ id }) => listOf('ids').includes(id))
      .map(marketOf)
      .join(',')}]`
  if (route === '/search/trending') return JSON.stringify({ coins: trending.map((id) => ({ item: { id } })) })
  const [, ofPlatform = '', address] = /^\/coins\/([\w-]+)\/contract\/(0x[0-9a-f]{40})$/.exec(route) ?? []
  const coin = coins.find(({ platforms }) => address !== undefined && platforms[ofPlatform] === address)
  return coin ? describeCoin(coin, ofPlatform) : null
}

function priceObject(
  coins: readonly ListedCoin[],
  asked: readonly string[],
  namesOf: (coin: ListedCoin) => string[],
): string {
  const members = coins.flatMap((coin) =>
    namesOf(coin)
      .filter((name) => asked.includes(name))
      .map((name) => {
        const members = [
          ...(coin.usd === undefined ? [] : [`"usd":${coin.usd}`]),
          ...(coin.updatedAt === undefined ? [] : [`"last_updated_at":${coin.updatedAt}`]),
        ]
        return `${JSON.stringify(name)}:{${members.join(',')}}`
      }),
  )
  return `{${members.join(',')}}`
}

function marketOf({ id, symbol, name, usd, market = {}, updatedAt }: ListedCoin): string {
  const members: Record<string, string> = {
    id: JSON.stringify(id),
    symbol: JSON.stringify(symbol),
    name: JSON.stringify(name),
    image: '"https://provider.example/coin.png"',
    current_price: usd ?? 'null',
    ...(updatedAt !== undefined && {
      last_updated: JSON.stringify(new Date(updatedAt * 1_000).toISOString()),
    }),
    roi: 'null',
    ...market,
  }
  return `{${Object.entries(members)
    .map(([member, json]) => `"${member}":${json}`)
    .join(',')}}`
}

function describeCoin({ id, symbol, name, platforms, decimals }: ListedCoin, platform: string): string {
  return JSON.stringify({
    id,
    symbol,
    name,
    asset_platform_id: platform,
    platforms,
    detail_platforms: {
      [platform]: { decimal_place: decimals ?? null, contract_address: platforms[platform] },
    },
    image: { thumb: 'https://provider.example/t.png', small: 'https://provider.example/s.png' },
    links: { homepage: ['https://coin.example', '', ''] },
  })
}
