import type { Address } from 'viem'
import type { SpendKind } from '../../pool/book/book-content.ts'
import type { RecipientRequest } from '../safety/check-recipient.ts'
import type { ChainRequest } from './quote-kind.ts'

/** Request of a wallet that reports its spends from a pool. Amounts in the token's smallest unit. */
export interface SpendRequest
  extends ChainRequest, Pick<RecipientRequest, 'acknowledgedMatch' | 'acknowledgedContract'> {
  kind: SpendKind
  /** The zero address is the native coin. */
  token: Address
  /** Amount that is to arrive; ignored with `maxSend`. */
  amount: bigint
  maxSend: boolean
  decimals: number | undefined
  /** Checked if given, and never stored. If absent, the service never learns the recipient. */
  destination: string | undefined
}

/** Request for the most that one spend from a pool can pay. */
export interface MaxSpendRequest {
  kind: SpendKind
  chainId: number
  /** The zero address is the native coin. */
  token: Address
}
