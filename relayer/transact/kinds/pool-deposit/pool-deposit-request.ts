import type { AmountRequest } from '../amount-request.ts'
import type { MaxRequestBase, ChainRequest } from '../quote-kind.ts'
import type { RequestedFunders } from '../quote-plan.ts'

/** The depositor's identification of a note: the client derives its secrets from the index. */
export interface Precommitment {
  depositIndex: number
  /** H(nullifier, secret) of the note. */
  precommitment: bigint
}

/** Request for deposits into a pool; the amount is the sum of the notes' values. Several addresses deposit only if named. */
export interface PoolDepositRequest extends ChainRequest, AmountRequest, RequestedFunders {
  kind: 'pool_deposit'
  /** One for each depositing address, by rising index. */
  precommitments?: readonly Precommitment[] | undefined
}

/** Request for the most that a wallet could deposit. */
export interface MaxPoolDepositRequest extends MaxRequestBase {
  kind: 'pool_deposit'
}
