import type { Address } from 'viem'
import { withdrawalAmountTooSmall } from '../../pool/relay/errors.ts'
import { insufficientBalance, insufficientFundsForFees, quoteLockConflict } from '../errors.ts'
import type { MaxSpendable } from '../transact.ts'
import { findFreshPool, planNotes, readSpendTerms } from './plan-notes.ts'
import type { SpendingParts } from './spending-parts.ts'
import { describeRelayFee, sumParts } from './write-spend.ts'

/** Errors that mean that nothing can be spent now. */
const NOTHING = [insufficientBalance, insufficientFundsForFees, quoteLockConflict, withdrawalAmountTooSmall]

/**
 * Returns the most that one spend from a pool can pay to any recipient, after relay fees. Locks nothing.
 * @throws ServiceError as {@link findFreshPool} and {@link readSpendTerms} do.
 */
export async function priceMaxSpend(
  parts: SpendingParts,
  accountId: string,
  request: { chainId: number; token: Address },
): Promise<MaxSpendable> {
  const { pool } = await findFreshPool(parts, accountId, request)
  const { terms, token, tokenUsd } = await readSpendTerms(parts, pool)
  const planned = await planNotes(parts, accountId, pool, { amount: 'max', token, terms }).catch(
    (error: unknown) => {
      if (NOTHING.some((shortage) => shortage.matches(error))) return []
      throw error
    },
  )
  const { receives, withdraws, fee } = sumParts(planned)
  const fees = describeRelayFee(token, tokenUsd, fee)
  return {
    maxAmount: receives,
    grossAmount: withdraws,
    fees,
    feeEstimateUsd: fees.totalUsd,
    spendableCount: planned.length,
    protocolFeeBps: 0,
  }
}
