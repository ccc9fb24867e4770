import type { Address, Hex } from 'viem'
import type { Chain } from '../../../chain/nodes/chain.ts'
import type { Call } from '../../intents/intent.ts'
import type { BridgeDeposit, BridgeProvider } from './bridge-deposit.ts'

/** What a bridge needs of a chain. */
export type BridgeChain = Pick<Chain, 'config' | 'client' | 'nextBlock'>

/** A token that a bridge takes on one chain and gives on another. */
export interface BridgeRoute {
  provider: BridgeProvider
  origin: BridgeChain
  destination: BridgeChain
  /** What is deposited; the coin may be paid for the wrapped coin. */
  inputToken: Address
  /** What is filled; a wrapped coin reaches an address without a contract as coin. */
  outputToken: Address
  /** Takes the deposit, and is approved for it. */
  spender: Address
  /** Runs the message of a deposit on the destination chain; null where none is configured. */
  handler: Address | null
}

/** What is to be carried over. */
export interface BridgeAsk {
  /** Smallest unit of the input token. */
  amount: bigint
  inputDecimals: number
  outputDecimals: number
  /** Values of one whole token in US dollars, in one unit; null where one is not known. */
  values: { input: bigint | null; output: bigint | null }
  /**
   * Shown to the bridge, which reckons gas by it: as long as the one that will be signed, and made for an address of
   * nobody. `0x` for none.
   */
  message: Hex
}

/** What a bridge would do with an amount now. Times in seconds since 1970. */
export interface BridgeQuote {
  /** What the recipient gets, smallest unit of the output token. */
  outputAmount: bigint
  estimatedFillMs: number
  quoteTimestamp: number
  /** By the destination's clock. */
  fillDeadline: number
  /** By the origin's clock: a deposit that is mined later is refused. */
  depositUntil: number
}

/** A way to carry tokens to another chain. */
export interface BridgeVenue {
  readonly provider: BridgeProvider
  /** The tokens that it carries between two chains, whatever the amount. */
  listRoutes(origin: BridgeChain, destination: BridgeChain): readonly BridgeRoute[]
  /**
   * What the bridge gives for an amount. It learns the pair, the amount and the message that it is shown.
   * @throws ServiceError `bad-request` AMOUNT_TOO_LOW, AMOUNT_TOO_HIGH; `bad-gateway` SWAP_UNAVAILABLE when the bridge does
   * not answer, or answers what cannot be; `unavailable` when a chain does not.
   */
  quote(route: BridgeRoute, ask: BridgeAsk): Promise<BridgeQuote>
  /** The calls of the depositor that make a deposit; `allowance` is what the spender may take already. */
  depositCalls(
    route: BridgeRoute,
    deposit: BridgeDeposit,
    payment: { isCoin: boolean; allowance: bigint },
  ): readonly Call[]
  /**
   * The message by which the route's handler makes calls with what it is given, and leaves nothing behind.
   * @param drained What the calls may leave with the handler; the zero address is the coin.
   */
  encodeMessage(
    route: BridgeRoute & { handler: Address },
    part: { calls: readonly Call[]; recipient: Address; drained: readonly Address[] },
  ): Hex
  /** The calls of such a message and who gets what they leave; null for what is none. */
  decodeMessage(message: Hex): { calls: readonly Call[]; recipient: Address } | null
  /** The deposit that signed calls make on a chain, and who takes it; null unless they make exactly one. */
  findDeposit(
    origin: Pick<BridgeChain, 'config'>,
    calls: readonly Call[],
  ): { deposit: BridgeDeposit; spender: Address } | null
}
