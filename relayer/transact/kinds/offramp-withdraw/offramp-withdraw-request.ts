import type { RequestBase } from '../quote-kind.ts'

/** What a wallet wants back of a cash-out. */
export interface OfframpWithdrawRequest extends RequestBase {
  kind: 'offramp_withdraw'
  /** `<escrow>_<number>`, as the activity has it. */
  depositId: string
  /** Smallest unit; null takes all that no buyer holds, and closes the sale to buyers. */
  amount: bigint | null
}
