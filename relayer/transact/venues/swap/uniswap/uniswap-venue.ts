import { isAddressEqual, zeroAddress } from 'viem'
import type { UniswapConfig } from '../../../../chain/nodes/venues-config.ts'
import type { SwapAsk, SwapRoute, SwapVenue, VenueChain } from '../swap-venue.ts'
import { computeSpotOutput, computeTwapGapBps } from './compute-spot.ts'
import { encodeSwapCalls } from './encode-swap.ts'
import { findBestPath } from './find-best-path.ts'
import type { Hop } from './swap-path.ts'

/** Pools of Uniswap v2 and v3, quoted on the chain and used through SwapRouter02, on chains that configure them. */
export const uniswapVenue: SwapVenue = {
  name: 'uniswap',
  async findRoute(chain, ask) {
    const { uniswap } = chain.config.venues
    return uniswap ? findRouteThrough(uniswap, chain, ask) : null
  },
}

async function findRouteThrough(
  uniswap: UniswapConfig,
  chain: VenueChain,
  ask: SwapAsk,
): Promise<SwapRoute | null> {
  const { tokenIn, tokenOut, amountIn, hopCost = 0n } = ask
  const wrapped = chain.config.wrappedNative
  const spent = tokenIn === zeroAddress ? wrapped : tokenIn
  const wanted = tokenOut === zeroAddress ? wrapped : tokenOut
  if (!spent || !wanted || isAddressEqual(spent, wanted)) return null
  const path = await findBestPath(chain.client, uniswap, {
    tokenIn: spent,
    tokenOut: wanted,
    amountIn,
    hopCost,
    between: wrapped ? [wrapped, ...uniswap.baseTokens] : uniswap.baseTokens,
  })
  if (!path) return null
  const { expected, hops } = path
  const { router } = uniswap
  return {
    routing: 'CLASSIC',
    // Fees are computed by prices, as at the submission.
    isNativeAtPar: false,
    expected,
    atSpot: computeSpotOutput(amountIn, hops),
    twapGapBps: computeTwapGapBps(hops),
    hasSlippage: true,
    gasKey: `CLASSIC ${tokenIn} ${hops.map(nameHop).join(' ')} ${tokenOut}`,
    callsAreOurs: true,
    spender: tokenIn === zeroAddress ? null : router,
    calls: (part) => encodeSwapCalls({ router, tokenIn, tokenOut, hops }, part),
    // If a token keeps a part of each transfer, pairs of v2 count what arrives; pools of v3 do not.
    ...(hops.some(({ version }) => version === 3) && {
      otherwise: () => findRouteThrough({ ...uniswap, feeTiers: [] }, chain, ask),
    }),
  }
}

const nameHop = (hop: Hop) => `${hop.version === 3 ? hop.fee : 'v2'} ${hop.tokenOut}`
