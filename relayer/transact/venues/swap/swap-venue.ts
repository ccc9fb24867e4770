import type { Address } from 'viem'
import type { Chain } from '../../../chain/nodes/chain.ts'
import type { Call } from '../../intents/intent.ts'

/** Names of routings in quotes. */
export const SWAP_ROUTINGS = ['WRAP', 'UNWRAP', 'CLASSIC', 'BRIDGE', 'CHAINED'] as const

/** Request for an exchange. The zero address is the native coin; the amount is in the smallest unit of `tokenIn`. */
export interface SwapAsk {
  tokenIn: Address
  tokenOut: Address
  amountIn: bigint
  /** Value of the gas of one more pool, smallest unit of `tokenOut`; absent if unknown. */
  hopCost?: bigint
}

/** Exchange of one address. Amounts in the tokens' smallest units. */
export interface SwapPart {
  payer: Address
  recipient: Address
  amountIn: bigint
  /** Least amount for the recipient: the calldata contains it. */
  minimum: bigint
  /** Seconds since 1970 until which the venue may execute it. */
  deadline: bigint
  /** Allowance that the route's spender already has from the payer. */
  allowance: bigint
}

/** A venue's route for exchanging an amount of one token for another on one chain. */
export interface SwapRoute {
  /** Name of the routing in the quote. */
  routing: (typeof SWAP_ROUTINGS)[number]
  /** The spent token is worth one native coin, unit by unit. */
  isNativeAtPar: boolean
  /** The venue's output for the requested amount. */
  expected: bigint
  /** Output at the spot price, less the pools' fees; null if the venue does not know it. */
  atSpot: bigint | null
  /** Gap between the spot price and its ten-minute average, in basis points; null if no pool reports it. */
  twapGapBps: number | null
  /** The output may change until the swap is mined. */
  hasSlippage: boolean
  /** Routes of one chain with the same key take the same gas. */
  gasKey: string
  /** Contract that needs an allowance over the spent token; null if none does. */
  spender: Address | null
  /** The service built the calls itself, to contracts that the operator configured. */
  callsAreOurs: boolean
  /** An outside service learns the recipient when the calls are built. */
  tellsRecipient?: boolean
  /**
   * Returns calls of the payer that spend the part's amount and leave no allowance behind.
   * @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE when the venue builds them and does not answer.
   */
  calls(part: SwapPart): readonly Call[] | Promise<readonly Call[]>
  /**
   * Returns a route with a lower output that works for more tokens, to try if these calls fail; absent, or null,
   * without one.
   * @throws ServiceError as findRoute does.
   */
  otherwise?(): Promise<SwapRoute | null>
}

/** Parts of a chain that venues read. */
export type VenueChain = Pick<Chain, 'config' | 'client'>

/** A venue that exchanges tokens on a chain. */
export interface SwapVenue {
  /** Name in settings and metrics. */
  readonly name: string
  /**
   * Finds the venue's route for these tokens; null without one.
   * @throws ServiceError `unavailable` when the chain does not answer; `bad-gateway` SWAP_UNAVAILABLE when the venue
   * does not.
   */
  findRoute(chain: VenueChain, ask: SwapAsk): Promise<SwapRoute | null>
}

/** Returns the route's output for a part of the requested amount, rounded down. */
export const expectedOf = (route: Pick<SwapRoute, 'expected'>, ask: SwapAsk, amountIn: bigint): bigint =>
  amountIn === ask.amountIn ? route.expected : (route.expected * amountIn) / ask.amountIn
