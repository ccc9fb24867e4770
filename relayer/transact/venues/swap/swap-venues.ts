import { observeVenue } from '../observe-venue.ts'
import type { SwapAsk, SwapRoute, SwapVenue, VenueChain } from './swap-venue.ts'
import { kyberswapVenue } from './kyberswap/kyberswap-venue.ts'
import { uniswapVenue } from './uniswap/uniswap-venue.ts'
import { wrappedNativeVenue } from './wrapped-native/wrapped-native.ts'

/** Every venue for swaps; the first with a route is used. */
const swapVenues: readonly SwapVenue[] = [wrappedNativeVenue, uniswapVenue, kyberswapVenue]

/**
 * Returns the first route that a venue has; null if none exchanges these tokens.
 * @throws ServiceError as the venues do.
 */
export async function findSwapRoute(chain: VenueChain, ask: SwapAsk): Promise<SwapRoute | null> {
  for (const venue of swapVenues) {
    // One after the other: a later venue is queried only if the earlier ones have no route.
    const about = { venue: venue.name, chainId: chain.config.chainId }
    const route = await observeVenue(about, () => venue.findRoute(chain, ask))
    if (route) return route
  }
  return null
}
