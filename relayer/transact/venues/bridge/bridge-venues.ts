import type { Chain } from '../../../chain/nodes/chain.ts'
import type { Address } from 'viem'
import type { Call } from '../../intents/intent.ts'
import { observeVenue } from '../observe-venue.ts'
import { createAcrossVenue } from './across/across-venue.ts'
import type { BridgeDeposit } from './bridge-deposit.ts'
import type { BridgeRoute, BridgeVenue } from './bridge-venue.ts'

/** Every bridge. */
const bridgeVenues: readonly BridgeVenue[] = [createAcrossVenue()].map(observed)

/** A route and the bridge that has it. */
export interface FoundBridge {
  venue: BridgeVenue
  route: BridgeRoute
}

/** Lists the routes of all bridges between two chains; empty if there are none. */
export function listBridgeRoutes(origin: Chain, destination: Chain): FoundBridge[] {
  return bridgeVenues.flatMap((venue) =>
    venue.listRoutes(origin, destination).map((route) => ({ venue, route })),
  )
}

/** A deposit that calls make, and the contract that takes it. */
export interface FoundDeposit {
  deposit: BridgeDeposit
  spender: Address
}

/** Finds the deposit that signed calls make with a bridge; null if they make none, or more than one. */
export function findBridgeDeposit(origin: Chain, calls: readonly Call[]): FoundDeposit | null {
  const found = bridgeVenues.flatMap((venue) => venue.findDeposit(origin, calls) ?? [])
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Reads the calls that a deposit makes on the other chain, and the recipient of any rest; null if it makes none. */
export function readBridgeMessage({
  provider,
  message,
}: BridgeDeposit): { calls: readonly Call[]; recipient: Address } | null {
  const venue = bridgeVenues.find((one) => one.provider === provider)
  return venue?.decodeMessage(message) ?? null
}

/** Wraps a bridge to measure its answers. */
function observed(venue: BridgeVenue): BridgeVenue {
  return {
    ...venue,
    quote: (route, ask) =>
      observeVenue({ venue: venue.provider, chainId: route.origin.config.chainId }, () =>
        venue.quote(route, ask),
      ),
  }
}
