import { getAddress } from 'viem'
import type { PlannedConversion } from '../../db/pool/notes/pool-conversions.ts'
import type { ActivityPool, TokenAmount } from './activity.ts'

/** A quote that deposits into a pool. */
export interface Converting {
  quoteId: string
  chainId: number
  /** The zero address is the native coin. */
  token: string
}

/** Returns the fee of a deposit; null if none was charged. */
export const feeOrNone = (fee: bigint | undefined): bigint | null => (fee ? fee : null)

/**
 * Describes deposits of a quote without an event of the pool: they are pending, or they failed. Failed ones count
 * only if all failed.
 * @param conversions Not empty.
 */
export function describeConversion(
  { quoteId, chainId, token }: Converting,
  conversions: readonly PlannedConversion[],
  amountOf: (chainId: number, token: string, value: bigint) => TokenAmount,
): ActivityPool | null {
  const live = conversions.filter(({ hasEnded }) => !hasEnded)
  const shown = live.length > 0 ? live : conversions
  const [first] = shown
  if (!first) return null
  const sum = (valueOf: (one: PlannedConversion) => bigint) =>
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
