import type { SwapRoute, SwapVenue } from './swap-venue.ts'
import { wrappedNativeVenue } from './wrapped-native/wrapped-native.ts'

/** Every venue for swaps; the first that has a route is taken. */
const swapVenues: readonly SwapVenue[] = [wrappedNativeVenue]

/** The first route that a venue has; null where none exchanges these tokens. */
export function findSwapRoute(...asked: Parameters<SwapVenue['findRoute']>): SwapRoute | null {
  for (const venue of swapVenues) {
    const route = venue.findRoute(...asked)
    if (route) return route
  }
  return null
}
