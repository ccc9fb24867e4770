import type { Hash } from 'viem'

/**
 * How a cash-out stands. depositing: the escrow does not have it. bridging: it is on its way to the escrow's chain. listed:
 * nobody has bought of it. matched: buyers hold some. partially_filled: some is paid for. completed: all is sold; what is
 * too little to sell went to the protocol. returned: what was not sold came back. failed: the escrow never had it.
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

/** Phases that nothing but a reorg changes. */
export const ENDED_CASH: ReadonlySet<CashPhase> = new Set(['completed', 'returned', 'failed'])

/** Why the escrow never had it. */
export type CashFailure = 'deposit_failed' | 'bridge_refunded' | 'bridge_fallback'

/** What the chains say of a cash-out. Amounts in smallest units. */
export interface CashState {
  phase: CashPhase
  failureKind: CashFailure | null
  /** By which the escrow knows it. */
  depositId: bigint | null
  depositTx: Hash | null
  /** With what was added since. */
  deposited: bigint
  /** What left the escrow for buyers. */
  filled: bigint
  /** Of that: what the seller released by hand, without a proof of payment. */
  released: bigint
  withdrawn: bigint
  dust: bigint
  /** What buyers hold who can still pay. */
  outstanding: bigint
  /** The escrow has it, and lets buyers take of it. */
  acceptsBuyers: boolean
  /**
   * What buyers pay for filled and held, as agreed with each, and for the rest at the quoted rate; the token's decimals. A
   * rate that nobody would pay counts as the quoted one.
   */
  fiatAmount: bigint
  /** The earliest end of what buyers hold; null where they hold nothing. */
  buyerPaymentDueAt: Date | null
  /** When all that is not sold can be withdrawn; null where nothing is left. */
  recoverableAt: Date | null
  /** Block from which on the phase changes by itself: it makes an event final. */
  blockDue: bigint | null
  /** Time of the chain from which on something is held no more; seconds since 1970. */
  timeDue: number | null
}
