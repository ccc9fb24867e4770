import type { Address, Hex } from 'viem'
import type { Chain } from '../../../chain/nodes/chain.ts'
import type { Call } from '../../intents/intent.ts'
import type { BridgeDeposit, BridgeProvider } from './bridge-deposit.ts'

/** A token that a bridge takes on one chain and gives on another. */
export interface BridgeRoute {
  provider: BridgeProvider
  origin: Chain
  destination: Chain
  /** Token of the deposit; the coin may be paid for the wrapped coin. */
  inputToken: Address
  /** Token of the fill; a wrapped coin reaches an address without a contract as coin. */
  outputToken: Address
  /** Contract that takes the deposit, and is approved for it. */
  spender: Address
  /** Contract that runs a deposit's message on the destination chain; null if none is configured. */
  handler: Address | null
}

/** Request for carrying an amount. */
export interface BridgeAsk {
  /** Smallest unit of the input token. */
  amount: bigint
  inputDecimals: number
  outputDecimals: number
  /** Values of one whole token in US dollars, in one unit; null if unknown. */
  values: { input: bigint | null; output: bigint | null }
  /**
   * Message for the bridge's estimate of gas: as long as the one to be signed, and made for a random address. `0x` for
   * none.
   */
  message: Hex
}

/** A bridge's quote for an amount. Times in seconds since 1970. */
export interface BridgeOffer {
  /** Output for the recipient, smallest unit of the output token. */
  outputAmount: bigint
  estimatedFillMs: number
  quoteTimestamp: number
  /** By the destination's clock. */
  fillDeadline: number
  /** By the origin's clock: a deposit that is mined later is refused. */
  depositUntil: number
}

/** A bridge, which carries tokens to another chain. */
export interface BridgeVenue {
  readonly provider: BridgeProvider
  /** Lists the tokens that it carries between two chains, for any amount. */
  listRoutes(origin: Chain, destination: Chain): readonly BridgeRoute[]
  /**
   * Quotes an amount. The bridge learns the pair, the amount and the message.
   * @throws ServiceError `bad-request` AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH; `bad-gateway` SWAP_UNAVAILABLE when the bridge
   * does not answer, or answers with impossible values; `unavailable` when a chain does not.
   */
  quote(route: BridgeRoute, ask: BridgeAsk): Promise<BridgeOffer>
  /** Returns the depositor's calls for a deposit; `allowance` is the spender's existing one. */
  depositCalls(
    route: BridgeRoute,
    deposit: BridgeDeposit,
    payment: { isCoin: boolean; allowance: bigint },
  ): readonly Call[]
  /** Encodes the message by which the handler of a route makes calls with the tokens of a fill. They must leave it nothing. */
  encodeMessage(part: { calls: readonly Call[]; recipient: Address }): Hex
  /** Decodes the calls of such a message and the recipient of any rest; null for any other message. */
  decodeMessage(message: Hex): { calls: readonly Call[]; recipient: Address } | null
  /**
   * Finds the deposit that signed calls make on a chain, and the contract that takes it; null unless they make exactly
   * one.
   */
  findDeposit(origin: Chain, calls: readonly Call[]): { deposit: BridgeDeposit; spender: Address } | null
}
