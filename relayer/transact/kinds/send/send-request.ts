import type { Address } from 'viem'
import type { RecipientRequest } from '../../safety/check-recipient.ts'
import type { MaxRequestBase, RequestBase } from '../quote-kind.ts'

/** What a wallet wants to send. Amounts in the token's smallest unit; the zero address is the native coin. */
export interface SendRequest extends RequestBase, RecipientRequest {
  kind: 'send'
  /** What the recipient is to get. Ignored with maxSend. */
  amount: bigint
  /** Those that the client believes the token to have. */
  decimals: number | undefined
  /** Nothing but these may fund it. */
  spendableAddresses: readonly Address[] | undefined
  /** Just these may be joined, wherever their money comes from. */
  acknowledgedProvenanceMix?: readonly Address[] | undefined
  /** Only this address funds it. */
  singleAddress: Address | undefined
  /** Everything that can be sent. */
  maxSend: boolean
}

/** How much a wallet could send. */
export interface MaxSendRequest extends MaxRequestBase {
  kind: 'send'
}
