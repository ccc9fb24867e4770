import { usdToNumber, valueHolding } from '../../relayer/market/prices/usd.ts'
import type { TokenBalance } from '../../relayer/market/watchlist/watched-tokens.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { balanceEntry } from './balance-entry.ts'
import { z } from 'zod'
import { address } from '../define/scalars.ts'
import { described } from '../define/shape.ts'

/** An account's balance of one token, with its value. */
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
    usdAmount: describeValue(visible.available + visible.pending, token.decimals, price),
    ...describePrice(price),
    spam: token.spam,
  }
}

/** The value of a holding in dollars; null if it has one and no price is known. */
export function describeValue(held: bigint, decimals: number, price: TokenBalance['price']): number | null {
  const value = valueHolding(held, decimals, price)
  return value === null ? null : usdToNumber(value)
}

/** One answer may contain the same price a thousand times. */
const numbers = new WeakMap<object, number>()

function numberOf(price: NonNullable<TokenBalance['price']>): number {
  const known = numbers.get(price) ?? usdToNumber(price.usd)
  numbers.set(price, known)
  return known
}

/** Dollars per whole token, with its age. */
export function describePrice(price: TokenBalance['price']) {
  return {
    pricePerToken: price && numberOf(price),
    priceStale: price?.stale ?? false,
    priceObservedAt: price && price.observedAt,
  }
}

// Members that identify the token of an amount.

export const chainName = described(z.string(), 'Name of the chain, as the operator configured it.')
export const tokenAddress = described(address, 'Contract of the token; the zero address is the native coin.')
export const tokenSymbol = described(
  z.string(),
  'Symbol of the token; empty if neither a list nor its contract has one.',
)
export const decimals = described(
  z.int().nonnegative(),
  'Decimals of the token: a whole token is 10^decimals smallest units.',
)
export const logoUrl = described(z.string().nullable(), 'URL of a picture of the token; null without one.')
