import type { Address } from 'viem'
import type { SpendKind } from '../../pool/book/book-content.ts'
import type { AcknowledgedWarnings } from '../safety/check-recipient.ts'
import type { AmountRequest } from './amount-request.ts'
import type { ChainRequest } from './quote-kind.ts'

/** Request of a wallet that reports its spends from a pool; the amount is to arrive. */
export interface SpendRequest extends ChainRequest, AmountRequest, AcknowledgedWarnings {
  kind: SpendKind
  /** Checked if given, and never stored. If absent, the service never learns the recipient. */
  destinationAddress?: string | undefined
}

/** Request for the most that one spend from a pool can pay. */
export interface MaxSpendRequest {
  kind: SpendKind
  chainId: number
  /** The zero address is the native coin. */
  token: Address
}
