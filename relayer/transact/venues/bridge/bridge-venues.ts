import type { Address } from 'viem'
import type { Call } from '../../intents/intent.ts'
import { observeVenue } from '../observe-venue.ts'
import { createAcrossVenue } from './across/across-venue.ts'
import type { BridgeDeposit } from './bridge-deposit.ts'
import type { BridgeChain, BridgeRoute, BridgeVenue } from './bridge-venue.ts'

/** Every bridge. */
const bridgeVenues: readonly BridgeVenue[] = [createAcrossVenue()].map(observed)

/** A route and the bridge that has it. */
export interface FoundBridge {
  venue: BridgeVenue
  route: BridgeRoute
}

/** All that bridges carry between two chains; empty where none does. */
export function listBridgeRoutes(origin: BridgeChain, destination: BridgeChain): FoundBridge[] {
  return bridgeVenues.flatMap((venue) =>
    venue.listRoutes(origin, destination).map((route) => ({ venue, route })),
  )
}

/** A deposit that calls make, and who takes it. */
export interface FoundDeposit {
  deposit: BridgeDeposit
  spender: Address
}

/** The deposit that signed calls make with a bridge; null where they make none, or more than one. */
export function findBridgeDeposit(
  origin: Pick<BridgeChain, 'config'>,
  calls: readonly Call[],
): FoundDeposit | null {
  const found = bridgeVenues.flatMap((venue) => venue.findDeposit(origin, calls) ?? [])
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The calls that a deposit makes on the other chain, and who gets what they leave; null where it makes none. */
export function readBridgeMessage({
  provider,
  message,
}: Pick<BridgeDeposit, 'provider' | 'message'>): { calls: readonly Call[]; recipient: Address } | null {
  const venue = bridgeVenues.find((one) => one.provider === provider)
  return venue?.decodeMessage(message) ?? null
}

/** A bridge whose answers are measured. */
function observed(venue: BridgeVenue): BridgeVenue {
  return {
    ...venue,
    quote: (route, ask) =>
      observeVenue({ venue: venue.provider, chainId: route.origin.config.chainId }, () =>
        venue.quote(route, ask),
      ),
  }
}
