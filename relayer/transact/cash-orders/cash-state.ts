import { cashFailure, cashPhase, type CashSummary } from '../../../db/transact/cash-orders.ts'

/** Every phase of a cash-out. */
export const CASH_PHASES = cashPhase.options
/** Every reason why the deposit never reached the escrow. */
export const CASH_FAILURES = cashFailure.options
/** Final phases: only a reorg changes them. */
const ENDED_CASH: ReadonlySet<CashSummary['phase']> = new Set(['completed', 'returned', 'failed'])

/** State of a cash-out in every view of its quote. Amounts in smallest units of the escrow's token. */
export type CashProgress = NonNullable<ReturnType<typeof cashProgressOf>>

/** Returns the progress that a row of the quote holds; null if the quote is no cash-out. */
export function cashProgressOf(cash: CashSummary | null) {
  if (!cash) return null
  const { phase, failureKind, depositId, deposited, filled, released, withdrawn, dust, outstanding } = cash
  return {
    phase,
    failureKind,
    depositId: depositId === null ? null : String(depositId),
    filled,
    releasedByHand: released,
    /** Unsold amount in the escrow that no live buyer's claim covers. */
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
