import { usdToNumber, valueInUsd } from '../../relayer/market/prices/usd.ts'
import type { TokenBalance } from '../../relayer/market/watchlist/watched-tokens.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { balanceEntry } from './balance-entry.ts'

/** What an account has of one token, with its value. */
export function describeBalance(balance: TokenBalance): AnswerOf<typeof balanceEntry> {
  const { token, chainName, visible, pooled, price } = balance
  return {
    chainId: token.chainId,
    chainName,
    token: token.address,
    tokenSymbol: token.symbol,
    decimals: token.decimals,
    logoUrl: token.logoUri,
    visible,
    incognito: { pooled },
    usdAmount: usdAmountOf(visible.available + visible.pending, token.decimals, price),
    ...describePrice(price),
    spam: token.spam,
  }
}

/** Dollars. Nothing is worth nothing, whatever it costs; what has no price has no value either. */
export function usdAmountOf(held: bigint, decimals: number, price: TokenBalance['price']): number | null {
  if (held === 0n) return 0
  return price && usdToNumber(valueInUsd(held, decimals, price))
}

/** Dollars per whole token, and how far that can be trusted. */
export function describePrice(price: TokenBalance['price']) {
  return {
    pricePerToken: price && usdToNumber(price.usd),
    priceStale: price?.stale ?? false,
    priceObservedAt: price && price.observedAt,
  }
}
