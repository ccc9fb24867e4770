import type { Address } from 'viem'
import type { ChainConfig } from '../../../chain/nodes/config.ts'
import type { Call } from '../../intents/intent.ts'

/** What quotes call the ways in which venues exchange. */
export const SWAP_ROUTINGS = ['WRAP', 'UNWRAP'] as const

/** A way in which a venue exchanges one token for another on one chain. Amounts in the tokens' smallest units. */
export interface SwapRoute {
  /** What the quote calls it. */
  routing: (typeof SWAP_ROUTINGS)[number]
  /** The token that is spent is worth one native coin, unit by unit. */
  isNativeAtPar: boolean
  /** Calls of an address that spend an amount, and give the recipient what comes out. */
  calls(recipient: Address, amountIn: bigint): readonly Call[]
  /** What comes out of an amount, and the least of it that the calls accept. */
  outputOf(amountIn: bigint): { expected: bigint; minimum: bigint }
}

/** Somewhere that exchanges tokens on a chain. */
export interface SwapVenue {
  /** How the venue exchanges these tokens; null where it does not. The zero address is the native coin. */
  findRoute(
    chain: Pick<ChainConfig, 'wrappedNative'>,
    tokens: { tokenIn: Address; tokenOut: Address },
  ): SwapRoute | null
}
