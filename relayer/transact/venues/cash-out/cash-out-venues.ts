import type { Chain } from '../../../chain/nodes/chain.ts'
import { observeVenue } from '../observe-venue.ts'
import type { CashOutOffer, CashOutVenue } from './cash-out-venue.ts'
import { createPeerVenue } from './peer/peer-venue.ts'

/** Every cash-out venue. */
const cashOutVenues: readonly CashOutVenue[] = [createPeerVenue()].map(observed)

/** A venue and its offer on a chain. */
export interface FoundCashOut {
  venue: CashOutVenue
  offer: CashOutOffer
}

/** Finds the venue of a chain; null without one. */
export function findCashOutVenue(chain: Chain): FoundCashOut | null {
  for (const venue of cashOutVenues) {
    const offer = venue.findOffer(chain)
    if (offer) return { venue, offer }
  }
  return null
}

/**
 * Finds a venue by its name.
 * @throws Error for a name that no stored quote has.
 */
export function cashOutVenueOf(provider: string): CashOutVenue {
  const venue = cashOutVenues.find((one) => one.provider === provider)
  if (!venue) throw new Error(`no cash-out venue is named ${provider}`)
  return venue
}

/** Wraps a venue to measure its answers. */
function observed(venue: CashOutVenue): CashOutVenue {
  const about = ({ config }: Chain) => ({ venue: venue.provider, chainId: config.chainId })
  return {
    ...venue,
    register: (chain, payee) => observeVenue(about(chain), () => venue.register(chain, payee)),
    isRegistered: (chain, payee) => observeVenue(about(chain), () => venue.isRegistered(chain, payee)),
    readRate: (chain, currency) => observeVenue(about(chain), () => venue.readRate(chain, currency)),
  }
}
