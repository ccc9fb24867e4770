import type { RequestBase } from '../quote-kind.ts'

/** Request to take back a part of a cash-out. */
export interface OfframpWithdrawRequest extends RequestBase {
  kind: 'offramp_withdraw'
  /** `<escrow>_<number>` as in the activity; the number alone means the configured escrow. */
  depositId: string
  /** Smallest unit. Null, or the whole amount, takes everything that no buyer holds and closes the sale to buyers. */
  amount: bigint | null
}
