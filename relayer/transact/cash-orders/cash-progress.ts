import type { CashSummary } from '../../../db/transact/cash-orders.ts'
import { ENDED_CASH, type CashFailure, type CashPhase } from './cash-state.ts'

/** State of a cash-out in every view of its quote. Amounts in smallest units of the escrow's token. */
export interface CashProgress {
  phase: CashPhase
  failureKind: CashFailure | null
  /** The deposit's number in the escrow; null before the escrow has the deposit. */
  depositId: string | null
  /** Amount that the escrow paid out to buyers. */
  filled: bigint
  /** Part of `filled` that the seller released by hand, without a proof of payment. */
  releasedByHand: bigint
  /** Unsold amount in the escrow that no live buyer's claim covers. */
  remaining: bigint
  /** Amount claimed by buyers whose time to pay is not over. */
  outstanding: bigint
  /** True if the escrow has the deposit and accepts buyers for it. */
  acceptsBuyers: boolean
  /** Earliest time at which the whole unsold amount can be withdrawn; null if nothing is left. */
  recoverableAt: Date | null
  buyerPaymentDueAt: Date | null
}

/** Returns the progress that a row of the quote holds; null if the quote is no cash-out. */
export function cashProgressOf(cash: CashSummary | null): CashProgress | null {
  if (!cash) return null
  const { phase, failureKind, depositId, deposited, filled, released, withdrawn, dust, outstanding } = cash
  return {
    phase,
    failureKind,
    depositId: depositId === null ? null : String(depositId),
    filled,
    releasedByHand: released,
    remaining: deposited - filled - withdrawn - dust - outstanding,
    outstanding,
    acceptsBuyers: cash.acceptsBuyers,
    recoverableAt: cash.recoverableAt,
    buyerPaymentDueAt: cash.buyerPaymentDueAt,
  }
}

/** True if the quote has no cash-out that is still open. */
export const hasNoOpenCash = (progress: CashProgress | null): boolean =>
  progress === null || ENDED_CASH.has(progress.phase)

/**
 * Execution status of the payment that started the cash-out: partial if one part was sold and the rest came
 * back.
 */
export function executionStatusOfCash({ phase, filled }: CashSummary) {
  if (phase === 'completed') return 'succeeded'
  if (phase === 'returned') return filled > 0n ? 'partial' : 'failed'
  return phase === 'failed' ? 'failed' : 'pending'
}

/** True if both are equal member by member. */
export const isSameCash = (one: CashProgress | null, other: CashProgress | null): boolean =>
  one === null || other === null
    ? one === other
    : (Object.keys(one) as (keyof CashProgress)[]).every(
        (name) => one[name]?.valueOf() === other[name]?.valueOf(),
      )
