import type { Address } from 'viem'
import type { RecipientRequest } from '../../safety/check-recipient.ts'
import type { MaxRequestBase, RequestBase } from '../quote-kind.ts'

/** Request to send a token. Amounts in the token's smallest unit; the zero address is the native coin. */
export interface SendRequest extends RequestBase, RecipientRequest {
  kind: 'send'
  /** Amount for the recipient. Ignored with maxSend. */
  amount: bigint
  /** Decimals of the token as the client knows them. */
  decimals: number | undefined
  /** Only these addresses may fund it. */
  spendableAddresses: readonly Address[] | undefined
  /** The user accepts that exactly these are joined, whatever the origin of their money. */
  acknowledgedProvenanceMix?: readonly Address[] | undefined
  /** Only this address funds it. */
  singleAddress: Address | undefined
  /** Sends everything. */
  maxSend: boolean
}

/** Request for the most that a wallet could send. */
export interface MaxSendRequest extends MaxRequestBase {
  kind: 'send'
}
