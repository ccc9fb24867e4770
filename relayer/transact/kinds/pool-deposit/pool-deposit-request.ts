import type { Address } from 'viem'
import type { MaxRequestBase, RequestBase } from '../quote-kind.ts'

/** What names a note to its depositor: the client derives its secrets by the index. */
export interface Precommitment {
  depositIndex: number
  /** H(nullifier, secret) of the note. */
  precommitment: bigint
}

/** What a wallet wants to deposit into a pool. Amounts in the token's smallest unit; the zero address is the coin. */
export interface PoolDepositRequest extends RequestBase {
  kind: 'pool_deposit'
  token: Address
  /** What the notes are to be worth. Ignored with maxSend. */
  amount: bigint
  /** Everything that can be deposited. */
  maxSend: boolean
  decimals: number | undefined
  /** One for each address that deposits, by rising index. */
  precommitments: readonly Precommitment[]
  /** Nothing but these may deposit; several may. */
  spendableAddresses: readonly Address[] | undefined
  /** Only this address deposits. */
  singleAddress: Address | undefined
}

/** How much a wallet could deposit. */
export interface MaxPoolDepositRequest extends MaxRequestBase {
  kind: 'pool_deposit'
}
