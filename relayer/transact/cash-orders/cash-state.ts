import type { Hash } from 'viem'
import type { CashSummary } from '../../../db/transact/cash-orders.ts'

/**
 * Phase of a cash-out.
 * - depositing: the escrow does not have the deposit.
 * - bridging: the deposit is on its way to the escrow's chain.
 * - listed: no buyer has claimed any of it.
 * - matched: buyers have claimed some of it.
 * - partially_filled: some of it is paid for.
 * - completed: all is sold; an unsellable rest went to the protocol.
 * - returned: the unsold amount came back.
 * - failed: the deposit never reached the escrow.
 */
export type CashPhase =
  | 'depositing'
  | 'bridging'
  | 'listed'
  | 'matched'
  | 'partially_filled'
  | 'completed'
  | 'returned'
  | 'failed'

/** Final phases: only a reorg changes them. */
const ENDED_CASH: ReadonlySet<CashPhase> = new Set(['completed', 'returned', 'failed'])

/** Reason why the deposit never reached the escrow. */
export type CashFailure = 'deposit_failed' | 'bridge_refunded' | 'bridge_fallback'

/** State of a cash-out according to the chains. Amounts in smallest units. */
export interface CashState {
  phase: CashPhase
  failureKind: CashFailure | null
  /** The deposit's number in the escrow. */
  depositId: bigint | null
  depositTx: Hash | null
  /** Includes amounts added later. */
  deposited: bigint
  /** Amount that left the escrow for buyers. */
  filled: bigint
  /** Part of `filled` that the seller released by hand, without a proof of payment. */
  released: bigint
  withdrawn: bigint
  dust: bigint
  /** Amount claimed by buyers whose time to pay is not over. */
  outstanding: bigint
  /** True if the escrow has the deposit and accepts buyers for it. */
  acceptsBuyers: boolean
  /**
   * Price of the deposit in fiat, with the token's decimals. Sold and claimed amounts count at the agreed
   * rates, the rest at the quoted rate. A rate that no buyer would pay counts as the quoted one.
   */
  fiatAmount: bigint
  /** Earliest end of a live claim; null without one. */
  buyerPaymentDueAt: Date | null
  /** Earliest time at which the whole unsold amount can be withdrawn; null if nothing is left. */
  recoverableAt: Date | null
  /** Block whose finality changes the phase without a further event; null if there is none. */
  blockDue: bigint | null
  /** Time of the chain at which the next claim expires; seconds since 1970. */
  timeDue: number | null
}

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
