import type { Address } from 'viem'
import type { Token } from '../../market/tokens/tokens.ts'
import type { OfferedMethod } from '../kinds/offramp/list-offers.ts'

/** A swap whose price somebody wants to know. */
export interface SwapPreviewRequest {
  chainId: number
  /** The zero address is the native coin. */
  tokenIn: Address
  tokenOut: Address
  tokenOutChainId: number | undefined
  /** What would be exchanged, in the smallest unit of `tokenIn`; fees come on top. */
  amountIn: bigint
  /** The slippage that the client asks for, in basis points; chosen by the service where it is left out. */
  requestedSlippageBps: number | undefined
  /** Nothing but these may fund it. */
  spendableAddresses: readonly Address[] | undefined
}

/** What a swap would give. Output in the smallest unit of the token that comes out, fees in that of the spent one. */
export interface SwapPreview {
  expectedOutput: bigint
  minimumOutput: bigint
  outputToken: Token
  /** What only quotes of swaps tell, in wire form. */
  members: Readonly<Record<string, unknown>>
  /** Null where the account could not pay and the cost of such a swap was not measured lately. */
  feeEstimate: bigint | null
  protocolFeeBps: number
  protocolFeeAmount: bigint
  /** The account's funds could not pay: the venue's price alone, and nothing was run. */
  rateOnly: boolean
}

/** A cash-out whose price somebody wants to know. */
export interface OfframpPreviewRequest {
  chainId: number
  token: Address
  /** Smallest unit; fees come on top. */
  amount: bigint
  /** The first that pays, where it is left out. */
  paymentMethod: string | undefined
  currency: string | undefined
  /** Where the escrow is; the same chain unless given. */
  escrowChainId: number | undefined
  /** Nothing but these may fund it. */
  spendableAddresses: readonly Address[] | undefined
}

/** What a cash-out would bring. Rates are what a whole token sells for, times 1e18. */
export interface OfframpPreview {
  methods: readonly OfferedMethod[]
  /** What the price below is for. */
  paymentMethod: string
  currency: string
  escrowChainId: number
  escrowToken: Token
  /** What the escrow would hold, smallest unit. */
  escrowAmount: bigint
  rate: bigint
  minimumRate: bigint
  /** Two decimals and the currency. */
  estimatedFiatAmount: string
  minimumFiatAmount: string
  /** What only quotes of cash-outs tell, in wire form. */
  members: Readonly<Record<string, unknown>>
  /** Smallest unit of the spent token; null where the account could not pay and the cost was not measured lately. */
  feeEstimate: bigint | null
  protocolFeeBps: number
  protocolFeeAmount: bigint
  /** The account's funds could not pay: the price alone, and nothing was run. */
  rateOnly: boolean
}

/** Prices of kinds of quotes that have a preview of their own. Every accountId here has been checked to be the caller's. */
export interface Previews {
  /**
   * What a quote of a swap would say now; nothing is reserved and no address is issued.
   * @throws ServiceError as quotes do, but for shortages of funds.
   */
  swap(accountId: string, request: SwapPreviewRequest): Promise<SwapPreview>
  /**
   * What a cash-out would bring now, and what else is offered; nothing is reserved, and nobody is told of a payee.
   * @throws ServiceError as quotes do, but for shortages of funds.
   */
  offramp(accountId: string, request: OfframpPreviewRequest): Promise<OfframpPreview>
}
