import type { Address } from 'viem'
import type { MaxRequestBase, ChainRequest } from '../quote-kind.ts'

/** The depositor's identification of a note: the client derives its secrets from the index. */
export interface Precommitment {
  depositIndex: number
  /** H(nullifier, secret) of the note. */
  precommitment: bigint
}

/** Request for deposits into a pool. Amounts in the token's smallest unit; the zero address is the coin. */
export interface PoolDepositRequest extends ChainRequest {
  kind: 'pool_deposit'
  token: Address
  /** Sum of the notes' values. Ignored with maxSend. */
  amount: bigint
  /** Deposits everything. */
  maxSend: boolean
  decimals: number | undefined
  /** One for each depositing address, by rising index. */
  precommitments: readonly Precommitment[]
  /** Only these addresses may deposit; several may. */
  spendableAddresses: readonly Address[] | undefined
  /** Only this address deposits. */
  singleAddress: Address | undefined
}

/** Request for the most that a wallet could deposit. */
export interface MaxPoolDepositRequest extends MaxRequestBase {
  kind: 'pool_deposit'
}
