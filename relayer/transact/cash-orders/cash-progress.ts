import type { CashSummary } from '../../../db/transact/cash-orders.ts'
import { ENDED_CASH, type CashFailure, type CashPhase } from './cash-state.ts'

/** How a cash-out stands, as all views of its quote say. Amounts in smallest units of the escrow's token. */
export interface CashProgress {
  phase: CashPhase
  failureKind: CashFailure | null
  /** The escrow's number of the deposit; null until it has it. */
  depositId: string | null
  /** What the escrow paid out to buyers. */
  filled: bigint
  /** Of that: what the seller released by hand, without a proof of payment. */
  releasedByHand: bigint
  /** What is in the escrow and nobody can still pay for. */
  remaining: bigint
  /** What buyers hold who can still pay. */
  outstanding: bigint
  /** The escrow has it, and lets buyers take of it. */
  acceptsBuyers: boolean
  /** When all that is not sold can be withdrawn; null where nothing is left. */
  recoverableAt: Date | null
  buyerPaymentDueAt: Date | null
}

/** What a row says of its cash-out; null for a quote that is none. */
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

/** Whether a quote has no cash-out that is still open. */
export const hasNoOpenCash = (progress: CashProgress | null): boolean =>
  progress === null || ENDED_CASH.has(progress.phase)

/** Of the payment by which it was begun: partial where some was sold and the rest came back. */
export function executionStatusOfCash({ phase, filled }: CashSummary) {
  if (phase === 'completed') return 'succeeded'
  if (phase === 'returned') return filled > 0n ? 'partial' : 'failed'
  return phase === 'failed' ? 'failed' : 'pending'
}

/** Whether two say the same. */
export const isSameCash = (one: CashProgress | null, other: CashProgress | null): boolean =>
  one === null || other === null
    ? one === other
    : (Object.keys(one) as (keyof CashProgress)[]).every(
        (name) => one[name]?.valueOf() === other[name]?.valueOf(),
      )
