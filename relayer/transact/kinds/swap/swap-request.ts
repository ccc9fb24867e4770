import type { Address } from 'viem'
import type { MaxRequestBase, RequestBase } from '../quote-kind.ts'

/** Request for an exchange. Amounts in the spent token's smallest unit; the zero address is the native coin. */
export interface SwapRequest extends RequestBase {
  kind: 'swap'
  tokenIn: Address
  tokenOut: Address
  /** Chain of the output; the same chain unless given. */
  tokenOutChainId: number | undefined
  /** Amount to exchange; fees come on top. */
  amountIn: bigint
  /** Requested slippage, in basis points; chosen by the service unless given. */
  requestedSlippageBps: number | undefined
  /** Price impact that the user has seen and accepts, in percent. */
  acknowledgedPriceImpact: number | undefined
  /** Decimals of `tokenIn` as the client knows them. */
  decimals: number | undefined
  /** Recipient of the output, an address or a name; a fresh address of the account unless given. */
  destination: string | undefined
  /** Replaces the recipient if nothing is signed: a random address that is not checked. */
  standIn?: Address | undefined
  acknowledgedMatch: { recipientAddress: Address; matchedAddress: Address } | undefined
  acknowledgedContract: Address | undefined
  spendableAddresses: readonly Address[] | undefined
  /** The user accepts that exactly these are joined, whatever the origin of their money. */
  acknowledgedProvenanceMix?: readonly Address[] | undefined
  singleAddress: Address | undefined
}

/** Request for the most of a token that a wallet could exchange. */
export interface MaxSwapRequest extends MaxRequestBase {
  kind: 'swap'
  tokenOut: Address
  tokenOutChainId: number | undefined
}
