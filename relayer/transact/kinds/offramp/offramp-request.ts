import type { Address } from 'viem'
import type { MaxRequestBase, RequestBase } from '../quote-kind.ts'

/** What a wallet wants to sell for money. */
export interface OfframpRequest extends RequestBase {
  kind: 'offramp'
  token: Address
  /** What is sold, or taken to the escrow's chain to be sold; fees come on top. Smallest unit. */
  amount: bigint
  /** All that there is. */
  maxSend: boolean
  /** By the venue's name: `venmo`. */
  paymentMethod: string
  /** By ISO 4217. */
  currency: string
  /** Handle of who is paid by the method. Null where nothing is signed: then nobody is told of anybody. */
  payee: string | null
  /** Where the escrow is; the same chain unless given. */
  escrowChainId: number | undefined
  /** Decimals of the token as the client knows them. */
  decimals: number | undefined
  spendableAddresses: readonly Address[] | undefined
  singleAddress: Address | undefined
}

/** How much of a token a wallet could sell. */
export interface MaxOfframpRequest extends MaxRequestBase {
  kind: 'offramp'
  escrowChainId: number | undefined
}
