import type { CommonQueryMethods } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import { sumDays, type DailyBooks } from '../../../db/daily-books.ts'
import { listPrices } from '../../../db/market/prices/token-prices.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import type { PricesConfig } from '../../market/prices/config.ts'
import { listChainPrices, listFixedPrices } from '../../market/prices/open-prices.ts'
import { valueHolding } from '../../market/prices/usd.ts'
import { keyOf, tokenIdOf } from '../../market/tokens/token-id.ts'
import { nameBookedToken } from './name-booked-token.ts'

/** Profit of one day, chain, token and duty. */
export interface DailyProfit extends Omit<DailyBooks, 'symbol' | 'decimals'> {
  symbol: string
  /** 0 if unknown: amounts are then shown in the smallest unit. */
  decimals: number
  nativeSymbol: string
  /**
   * Fees less gas, in units of 10^-30 dollars at the newest known prices, which may be those of another day. Null if a price is
   * not known.
   */
  usd: bigint | null
}

/** Sources of profit besides the books. */
interface Tariff {
  chains: readonly ChainConfig[]
  prices: PricesConfig
}

/**
 * Reads profit and loss by day (UTC), the newest first. Shares of referrers are not deducted.
 * @param days First and last day, as `2026-11-28`.
 */
export async function readProfit(
  database: CommonQueryMethods,
  { chains, prices: { sources } }: Tariff,
  days: { from: string; to: string },
): Promise<DailyProfit[]> {
  const books = await sumDays(database, days)
  const tokens = books.flatMap(({ chainId, token }) => [
    tokenIdOf(chainId, token),
    tokenIdOf(chainId, zeroAddress),
  ])
  const stored = await listPrices(database, tokens)
  const prices = new Map<string, bigint>([
    ...listChainPrices(chains),
    ...stored.map(({ chainId, address, usd }) => [`${chainId}:${address}`, usd] as const),
    ...listFixedPrices(sources),
  ])
  const valueOf = (amount: bigint, decimals: number, chainId: number, token: Address) => {
    const usd = prices.get(keyOf(tokenIdOf(chainId, token)))
    return valueHolding(amount, decimals, usd === undefined ? null : { usd })
  }
  return books.map((row) => {
    const config = chains.find(({ chainId }) => chainId === row.chainId)
    const named = nameBookedToken(row, config)
    const fees = valueOf(row.fees, named.decimals, row.chainId, row.token)
    const gas = valueOf(row.gasSpent, 18, row.chainId, zeroAddress)
    return { ...row, ...named, usd: fees === null || gas === null ? null : fees - gas }
  })
}
