import { isAddressEqual, zeroAddress } from 'viem'
import type { SwapVenue } from '../swap-venue.ts'
import { computeSpotOutput, computeTwapGapBps } from './compute-spot.ts'
import { encodeSwapCalls } from './encode-swap.ts'
import { findBestPath } from './find-best-path.ts'
import type { Hop } from './swap-path.ts'

/** Pools of Uniswap v2 and v3, quoted on chain and paid through SwapRouter02, on chains that name them. */
export const uniswapVenue: SwapVenue = {
  name: 'uniswap',
  async findRoute({ config, client }, { tokenIn, tokenOut, amountIn }) {
    const { uniswap } = config.venues
    if (!uniswap) return null
    const wrapped = config.wrappedNative
    const spent = tokenIn === zeroAddress ? wrapped : tokenIn
    const wanted = tokenOut === zeroAddress ? wrapped : tokenOut
    if (!spent || !wanted || isAddressEqual(spent, wanted)) return null
    const path = await findBestPath(client, uniswap, {
      tokenIn: spent,
      tokenOut: wanted,
      amountIn,
      between: wrapped ? [wrapped, ...uniswap.baseTokens] : uniswap.baseTokens,
    })
    if (!path) return null
    const { expected, hops } = path
    const { router } = uniswap
    return {
      routing: 'CLASSIC',
      // Fees go by prices, as they do when it is submitted.
      isNativeAtPar: false,
      expected,
      atSpot: computeSpotOutput(amountIn, hops),
      twapGapBps: computeTwapGapBps(hops),
      hasSlippage: true,
      // Pairs of v2 are held to the recipient's balance, and coins to what was unwrapped.
      isArrivalChecked: tokenOut === zeroAddress || hops.at(-1)?.version === 2,
      gasKey: `CLASSIC ${tokenIn} ${hops.map(nameHop).join(' ')} ${tokenOut}`,
      callsAreOurs: true,
      spender: tokenIn === zeroAddress ? null : router,
      calls: (part) => encodeSwapCalls({ router, tokenIn, tokenOut, hops }, part),
    }
  },
}

const nameHop = (hop: Hop) => `${hop.version === 3 ? hop.fee : 'v2'} ${hop.tokenOut}`
