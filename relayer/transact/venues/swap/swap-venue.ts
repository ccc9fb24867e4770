import type { Address } from 'viem'
import type { Chain } from '../../../chain/nodes/chain.ts'
import type { Call } from '../../intents/intent.ts'

/** What quotes call the ways in which venues exchange. */
export const SWAP_ROUTINGS = ['WRAP', 'UNWRAP', 'CLASSIC', 'BRIDGE', 'CHAINED'] as const

/** What is to be exchanged. The zero address is the native coin; the amount is in the smallest unit of `tokenIn`. */
export interface SwapAsk {
  tokenIn: Address
  tokenOut: Address
  amountIn: bigint
  /** What the gas of one pool more is worth, smallest unit of `tokenOut`; nothing where that cannot be told. */
  hopCost?: bigint
}

/** What one address exchanges. Amounts in the tokens' smallest units. */
export interface SwapPart {
  payer: Address
  recipient: Address
  amountIn: bigint
  /** The least that the recipient must get: it stands in the calldata. */
  minimum: bigint
  /** Seconds since 1970 until which the venue may execute it. */
  deadline: bigint
  /** What the payer allows the route's spender already. */
  allowance: bigint
}

/** A way in which a venue exchanges an amount of one token for another on one chain. */
export interface SwapRoute {
  /** What the quote calls it. */
  routing: (typeof SWAP_ROUTINGS)[number]
  /** The token that is spent is worth one native coin, unit by unit. */
  isNativeAtPar: boolean
  /** What the venue says comes out of the amount that was asked for. */
  expected: bigint
  /** What would come out at the spot price, less the pools' fees; null where the venue cannot tell. */
  atSpot: bigint | null
  /** How far the spot price is from its average of ten minutes, in basis points; null where no pool tells. */
  twapGapBps: number | null
  /** What comes out may change until the swap is mined. */
  hasSlippage: boolean
  /** Routes of one chain with the same key take the same gas. */
  gasKey: string
  /** Who must be allowed to take the spent token; null where nobody takes it. */
  spender: Address | null
  /** The calls are made here, to contracts that the operator configured. */
  callsAreOurs: boolean
  /** Somebody outside the chain learns the recipient when the calls are made. */
  tellsRecipient?: boolean
  /**
   * Calls of the payer that spend the part's amount and leave no allowance behind.
   * @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE when the venue makes them and does not answer.
   */
  calls(part: SwapPart): readonly Call[] | Promise<readonly Call[]>
  /**
   * A route that gives less and works for more tokens, to be tried where these calls fail; absent, or null, without one.
   * @throws ServiceError as findRoute does.
   */
  otherwise?(): Promise<SwapRoute | null>
}

/** Of a chain what venues read. */
export type VenueChain = Pick<Chain, 'config' | 'client'>

/** Somewhere that exchanges tokens on a chain. */
export interface SwapVenue {
  /** Name in settings and metrics. */
  readonly name: string
  /**
   * How the venue exchanges these tokens; null where it does not.
   * @throws ServiceError `unavailable` when the chain does not answer; `bad-gateway` SWAP_UNAVAILABLE when the venue does
   * not.
   */
  findRoute(chain: VenueChain, ask: SwapAsk): Promise<SwapRoute | null>
}

/** What comes out of a part of what was asked for, by the route's word, rounded down. */
export const expectedOf = (route: Pick<SwapRoute, 'expected'>, ask: SwapAsk, amountIn: bigint): bigint =>
  amountIn === ask.amountIn ? route.expected : (route.expected * amountIn) / ask.amountIn
