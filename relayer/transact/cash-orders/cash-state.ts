import type { Hash } from 'viem'

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
export const ENDED_CASH: ReadonlySet<CashPhase> = new Set(['completed', 'returned', 'failed'])

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
