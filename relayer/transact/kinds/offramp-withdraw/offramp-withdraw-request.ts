import type { RequestBase } from '../quote-kind.ts'

/** What a wallet wants back of a cash-out. */
export interface OfframpWithdrawRequest extends RequestBase {
  kind: 'offramp_withdraw'
  /** `<escrow>_<number>`, as the activity has it. */
  depositId: string
  /** Smallest unit; null, or all that there is, takes what no buyer holds and closes the sale to buyers. */
  amount: bigint | null
}
