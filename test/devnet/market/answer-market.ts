import { CommandError } from '../commands/command-error.ts'
import { TOKENS_PER_CLIENT } from '../deploy/devnet-assets.ts'
import { boundsOf, observedAt, devnetPlatformOf, priceAt, type DevnetCoin } from './coins.ts'

const DAY_MS = 86_400_000

/**
 * Answers as version 3 of CoinGecko's API does, as far as the service asks.
 * @throws CommandError for any other path.
 */
export function answerMarket(coins: readonly DevnetCoin[], url: URL, now: number): unknown {
  const wanted = (name: string) => new Set(url.searchParams.get(name)?.toLowerCase().split(',') ?? [])
  const [, first, second, third, fourth] = url.pathname.split('/')
  switch (`${first}/${second}`) {
    case 'simple/price': {
      const ids = wanted('ids')
      return Object.fromEntries(
        coins.filter(({ id }) => ids.has(id)).map((coin) => [coin.id, describePrice(coin, now)]),
      )
    }
    case 'simple/token_price': {
      const addresses = wanted('contract_addresses')
      return Object.fromEntries(
        coins.flatMap((coin) => {
          const address = contractOf(coin, third)
          return address && addresses.has(address) ? [[address, describePrice(coin, now)] as const] : []
        }),
      )
    }
    case 'coins/list':
      return coins.map(({ id, symbol, name, contracts }) => ({
        id,
        symbol,
        name,
        platforms: Object.fromEntries(
          Object.entries(contracts).map(([chainId, address]) => [devnetPlatformOf(chainId), address]),
        ),
      }))
    case 'coins/markets': {
      const ids = wanted('ids')
      return coins.filter(({ id }) => ids.has(id)).map((coin) => describeMarket(coin, now))
    }
    case 'search/trending':
      return { coins: coins.map(({ id }) => ({ item: { id } })) }
    default: {
      const coin = coins.find((candidate) => contractOf(candidate, second) === fourth?.toLowerCase())
      if (first !== 'coins' || third !== 'contract' || !coin || !fourth)
        throw new CommandError(404, `There is nothing at ${url.pathname}`)
      return describeCoin(coin)
    }
  }
}

/** In lower case. */
const contractOf = ({ contracts }: DevnetCoin, platform: string | undefined): string | undefined =>
  Object.entries(contracts)
    .find(([chainId]) => devnetPlatformOf(chainId) === platform)?.[1]
    .toLowerCase()

const describePrice = (coin: DevnetCoin, now: number) => ({
  usd: priceAt(coin, now),
  last_updated_at: Math.floor(observedAt(coin, now) / 1_000),
})

function describeMarket(coin: DevnetCoin, now: number) {
  const price = priceAt(coin, now)
  const earlier = priceAt(coin, now - DAY_MS)
  const supply = Number(TOKENS_PER_CLIENT)
  const { high, low } = boundsOf(coin)
  return {
    id: coin.id,
    current_price: price,
    market_cap: price * supply,
    fully_diluted_valuation: price * supply,
    total_volume: price * 1_000,
    high_24h: high,
    low_24h: low,
    price_change_24h: price - earlier,
    price_change_percentage_24h: (price / earlier - 1) * 100,
    market_cap_change_24h: (price - earlier) * supply,
    market_cap_change_percentage_24h: (price / earlier - 1) * 100,
    circulating_supply: supply,
    total_supply: supply,
    max_supply: supply,
    ath: high,
    ath_change_percentage: (price / high - 1) * 100,
    atl: low,
    atl_change_percentage: (price / low - 1) * 100,
    last_updated: new Date(observedAt(coin, now)).toISOString(),
  }
}

const describeCoin = ({ id, symbol, name, decimals, contracts }: DevnetCoin) => ({
  id,
  symbol,
  name,
  detail_platforms: Object.fromEntries(
    Object.keys(contracts).map((chainId) => [devnetPlatformOf(chainId), { decimal_place: decimals }]),
  ),
  links: { homepage: [] },
})
