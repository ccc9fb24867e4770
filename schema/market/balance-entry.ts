import { z } from 'zod'
import { usdToNumber, valueInUsd } from '../../relayer/market/prices/usd.ts'
import type { TokenBalance } from '../../relayer/market/watchlist/watched-tokens.ts'
import { address, amount, chainId } from '../define/wire-scalars.ts'

const usd = z.number().nonnegative()
const isoDate = z.iso.datetime()

/** What an account has of one token on one chain (api.md 2.3). */
export const balanceEntry = z
  .object({
    chainId,
    chainName: z.string(),
    token: address.meta({ description: 'Its contract; the zero address is the native coin.' }),
    tokenSymbol: z.string(),
    decimals: z.int().nonnegative(),
    logoUrl: z.string().nullable(),
    visible: z
      .object({
        available: amount.meta({ description: 'Spendable now.' }),
        pending: amount.meta({ description: 'Promised to quotes, or on its way out.' }),
      })
      .meta({ id: 'VisibleBalance', description: 'What stands at the account’s addresses, smallest unit.' }),
    incognito: z
      .object({
        pooled: z
          .object({
            available: amount.meta({ description: 'Approved deposits that can be withdrawn now.' }),
            pendingApproval: amount,
            pendingWithdrawal: amount,
            declined: amount.meta({ description: 'Can be recovered to the visible balance.' }),
          })
          .meta({ id: 'PooledBalance', description: 'What pools hold for the account, smallest unit.' }),
      })
      .meta({ id: 'IncognitoBalance', description: 'What is hidden.' }),
    usdAmount: usd.nullable().meta({
      description: 'Value of the visible balance; null when there is one and no price.',
    }),
    pricePerToken: usd.nullable().meta({ description: 'US dollars per whole token.' }),
    priceStale: z.boolean(),
    priceObservedAt: isoDate.nullable(),
    spam: z.boolean(),
  })
  .meta({ id: 'Balance', description: 'What an account has of one token on one chain.' })

export function balanceToWire(balance: TokenBalance): z.input<typeof balanceEntry> {
  const { token, chainName, visible, pooled, price } = balance
  return {
    chainId: token.chainId,
    chainName,
    token: token.address,
    tokenSymbol: token.symbol,
    decimals: token.decimals,
    logoUrl: token.logoUri,
    visible: { available: String(visible.available), pending: String(visible.pending) },
    incognito: {
      pooled: {
        available: String(pooled.available),
        pendingApproval: String(pooled.pendingApproval),
        pendingWithdrawal: String(pooled.pendingWithdrawal),
        declined: String(pooled.declined),
      },
    },
    usdAmount: usdAmountOf(visible.available + visible.pending, token.decimals, price),
    ...priceToWire(price),
    spam: token.spam,
  }
}

/** Nothing is worth nothing, whatever it costs; what has no price has no value either. */
export function usdAmountOf(held: bigint, decimals: number, price: TokenBalance['price']): number | null {
  if (held === 0n) return 0
  return price && usdToNumber(valueInUsd(held, decimals, price))
}

export function priceToWire(price: TokenBalance['price']) {
  return {
    pricePerToken: price && usdToNumber(price.usd),
    priceStale: price?.stale ?? false,
    priceObservedAt: price?.observedAt.toISOString() ?? null,
  }
}
