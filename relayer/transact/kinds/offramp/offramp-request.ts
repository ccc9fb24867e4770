import type { Address } from 'viem'
import type { MaxRequestBase, RequestBase } from '../quote-kind.ts'

/** Request to sell tokens for money. */
export interface OfframpRequest extends RequestBase {
  kind: 'offramp'
  token: Address
  /** Amount that is sold, or bridged to the escrow's chain to be sold; fees come on top. Smallest unit. */
  amount: bigint
  /** Sells everything. */
  maxSend: boolean
  /** The venue's name of the method: `venmo`. */
  paymentMethod: string
  /** ISO 4217 code. */
  currency: string
  /** The payee's handle with the payment method. Null if nothing is signed: then no payee is disclosed. */
  payee: string | null
  /** The escrow's chain; the same chain unless given. */
  escrowChainId: number | undefined
  /** Decimals of the token as the client knows them. */
  decimals: number | undefined
  spendableAddresses: readonly Address[] | undefined
  singleAddress: Address | undefined
}

/** Request for the most of a token that a wallet could sell. */
export interface MaxOfframpRequest extends MaxRequestBase {
  kind: 'offramp'
  escrowChainId: number | undefined
}
