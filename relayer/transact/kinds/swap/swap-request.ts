import type { Address } from 'viem'
import type { MaxRequestBase, RequestBase } from '../quote-kind.ts'

/** What a wallet wants to exchange. Amounts in the spent token's smallest unit; the zero address is the native coin. */
export interface SwapRequest extends RequestBase {
  kind: 'swap'
  tokenIn: Address
  tokenOut: Address
  /** Where the output is wanted; the same chain unless given. */
  tokenOutChainId: number | undefined
  /** What is exchanged; fees come on top. */
  amountIn: bigint
  /** The slippage that the client asked for, in basis points; chosen by the service where it is left out. */
  requestedSlippageBps: number | undefined
  /** The price impact that the user has seen and accepts, in percent. */
  acknowledgedPriceImpact: number | undefined
  /** Decimals of `tokenIn` as the client knows them. */
  decimals: number | undefined
  /** Who gets the output, an address or a name; a fresh address of the account unless given. */
  destination: string | undefined
  /** In place of a recipient where nothing is signed: a random address, of which nothing need be known. */
  standIn?: Address | undefined
  acknowledgedMatch: { recipientAddress: Address; matchedAddress: Address } | undefined
  acknowledgedContract: Address | undefined
  spendableAddresses: readonly Address[] | undefined
  /** Just these may be joined, wherever their money comes from. */
  acknowledgedProvenanceMix?: readonly Address[] | undefined
  singleAddress: Address | undefined
}

/** How much of a token a wallet could exchange for another. */
export interface MaxSwapRequest extends MaxRequestBase {
  kind: 'swap'
  tokenOut: Address
  tokenOutChainId: number | undefined
}
