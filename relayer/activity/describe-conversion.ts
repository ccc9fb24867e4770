import { getAddress } from 'viem'
import type { QuotedConversion } from '../../db/pool/notes/pool-conversions.ts'
import type { ActivityPool, TokenAmount } from './activity.ts'

/** What a quote deposits into a pool. */
export interface ConvertingQuote {
  quoteId: string
  chainId: number
  /** The zero address is the native coin. */
  token: string
}

/** What was taken for a deposit; null where nothing was. */
export const feeOrNone = (fee: bigint | undefined): bigint | null => (fee ? fee : null)

/**
 * Deposits of a quote that no event of the pool tells of: because they are under way, or because they failed. Failed ones
 * count only where all failed.
 * @param conversions Not empty.
 */
export function describeConversion(
  { quoteId, chainId, token }: ConvertingQuote,
  conversions: readonly QuotedConversion[],
  amountOf: (chainId: number, token: string, value: bigint) => TokenAmount,
): ActivityPool | null {
  const live = conversions.filter(({ hasEnded }) => !hasEnded)
  const shown = live.length > 0 ? live : conversions
  const [first] = shown
  if (!first) return null
  const sum = (valueOf: (one: QuotedConversion) => bigint) =>
    shown.reduce((total, one) => total + valueOf(one), 0n)
  const hasFailed = live.length === 0
  return {
    poolAddress: getAddress(first.pool),
    amount: amountOf(
      chainId,
      token,
      sum(({ net }) => net),
    ),
    aspStatus: hasFailed ? 'failed' : 'pending',
    commitmentId: `${quoteId}-${first.place}`,
    vettingFee: hasFailed ? null : sum(({ vettingFee }) => vettingFee),
    depositFee: hasFailed ? null : feeOrNone(sum(({ depositFee }) => depositFee)),
  }
}
