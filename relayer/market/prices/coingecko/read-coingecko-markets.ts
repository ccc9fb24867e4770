import { z } from 'zod'
import type { NewTokenMarket } from '../../../../db/market/prices/token-markets.ts'
import { MARKET_FIGURES, type MarketFigure } from '../../tokens/tokens.ts'
import { ProviderError, type AskCoingecko, toDecimalText } from './ask-coingecko.ts'

/** The provider's maximum per page. */
const COINS_PER_PAGE = 250

const FIELDS: Readonly<Record<MarketFigure, string>> = {
  price: 'current_price',
  marketCap: 'market_cap',
  fullyDilutedValuation: 'fully_diluted_valuation',
  totalVolume: 'total_volume',
  high24h: 'high_24h',
  low24h: 'low_24h',
  priceChange24h: 'price_change_24h',
  priceChangePercentage24h: 'price_change_percentage_24h',
  marketCapChange24h: 'market_cap_change_24h',
  marketCapChangePercentage24h: 'market_cap_change_percentage_24h',
  circulatingSupply: 'circulating_supply',
  totalSupply: 'total_supply',
  maxSupply: 'max_supply',
  ath: 'ath',
  athChangePercentage: 'ath_change_percentage',
  atl: 'atl',
  atlChangePercentage: 'atl_change_percentage',
}

const isoDate = z.iso.datetime({ offset: true })
/** One entry of /coins/markets; numbers are strings, and any of them may be missing. */
const coinShape = z.looseObject({
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  market_cap_rank: z.string().nullish(),
  ath_date: isoDate.nullish().catch(null),
  atl_date: isoDate.nullish().catch(null),
  last_updated: isoDate.nullish().catch(null),
})

/** A coin's market, without the token. */
export type CoinMarket = Omit<NewTokenMarket, 'chainId' | 'address'>

/** Reads the markets of these coins, page by page. Coins without a market are missing. */
export async function* readCoingeckoMarkets(
  ask: AskCoingecko,
  coinIds: readonly string[],
): AsyncGenerator<readonly CoinMarket[]> {
  const ids = [...new Set(coinIds)].sort()
  for (let start = 0; start < ids.length; start += COINS_PER_PAGE) {
    const answer = await ask('/coins/markets', {
      vs_currency: 'usd',
      ids: ids.slice(start, start + COINS_PER_PAGE).join(','),
      per_page: String(COINS_PER_PAGE),
      page: '1',
      precision: 'full',
    })
    if (!Array.isArray(answer)) throw new ProviderError('coingecko answered no list of markets')
    // Drops duplicates of a coin.
    yield [...new Map(answer.flatMap(toMarket).map((market) => [market.providerAssetId, market])).values()]
  }
}

function toMarket(json: unknown): CoinMarket[] {
  const parsed = coinShape.safeParse(json)
  if (!parsed.success) return []
  const coin = parsed.data
  const figures = Object.fromEntries(
    MARKET_FIGURES.flatMap((figure) => {
      const told = coin[FIELDS[figure]]
      const text = typeof told === 'string' ? toDecimalText(told) : null
      return text === null ? [] : [[figure, text]]
    }),
  )
  const now = Date.now()
  const updatedAt = coin.last_updated ? new Date(Math.min(Date.parse(coin.last_updated), now)) : null
  const rank = Number(coin.market_cap_rank ?? Number.NaN)
  return [
    {
      provider: 'coingecko',
      providerAssetId: coin.id,
      figures,
      volume: BigInt(figures['totalVolume']?.replace(/^-.*|\..*$/g, '') || 0),
      marketCapRank: Number.isInteger(rank) && rank > 0 && rank < 1e9 ? rank : null,
      athDate: coin.ath_date ?? null,
      atlDate: coin.atl_date ?? null,
      providerUpdatedAt: updatedAt,
      priceObservedAt: updatedAt ?? new Date(now),
      marketObservedAt: updatedAt ?? new Date(now),
    },
  ]
}

const trendingShape = z.object({
  coins: z.array(z.object({ item: z.object({ id: z.string().min(1).max(200) }) })).max(1_000),
})

/** Reads the coins that the provider's users search for, most wanted first. */
export async function readTrending(ask: AskCoingecko): Promise<readonly string[]> {
  const answer = trendingShape.safeParse(await ask('/search/trending'))
  if (!answer.success) throw new ProviderError('coingecko answered no trending coins')
  return answer.data.coins.map(({ item }) => item.id)
}
