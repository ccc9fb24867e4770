import { serverBusy } from '../../errors.ts'
import { tooManySubscriptions } from './errors.ts'

/** Who follows requests needs no token, and has a connection for as long as the stream lasts. */
const MOST = 1_024
/** Of one client, behind whose address many people may be. */
const MOST_OF_CLIENT = 64

interface Place {
  onLost(): void
}

/** A place among those who follow requests. */
export interface SubscriptionSlot {
  leave(): void
}

/** Places of those who follow requests, in this instance. */
export interface SubscriptionLimit {
  /**
   * Takes a place. `onLost` is called when it is given to another client: the stream ends, and its client may ask again. When
   * all are taken, the client with the most loses its oldest to a client that has fewer, so
   * newcomers are never shut out.
   *
   * @throws ServiceError `too-many-requests` when the client holds all of its own places, 503 SERVER_BUSY when all
   * are taken and no client has more than this one would.
   */
  take(client: string, onLost: () => void): SubscriptionSlot
}

/** Creates a limit of `most` places in this instance, of which one client may hold `mostOfClient`. */
export function createSubscriptionLimit(most = MOST, mostOfClient = MOST_OF_CLIENT): SubscriptionLimit {
  /** Each client's places, the oldest first; clients in the order in which they came. */
  const taken = new Map<string, Set<Place>>()
  let all = 0

  function giveBack(client: string, place: Place): void {
    const places = taken.get(client)
    if (!places?.delete(place)) return
    if (places.size === 0) taken.delete(client)
    all -= 1
  }

  /** Among equals the client that came first. */
  function findBiggest(): { client: string; places: Set<Place> } | null {
    let biggest: { client: string; places: Set<Place> } | null = null
    for (const [client, places] of taken)
      if (!biggest || places.size > biggest.places.size) biggest = { client, places }
    return biggest
  }

  function makeRoom(own: number): void {
    const biggest = findBiggest()
    const [oldest] = biggest?.places ?? []
    // Who has none yet always gets one.
    if (!biggest || !oldest || (own > 0 && biggest.places.size <= own + 1))
      throw serverBusy('Too many requests are being followed; ask for the status')
    giveBack(biggest.client, oldest)
    oldest.onLost()
  }

  return {
    take(client, onLost) {
      const own = taken.get(client)?.size ?? 0
      if (own >= mostOfClient)
        throw tooManySubscriptions(`One client follows at most ${mostOfClient} requests at once`)
      if (all >= most) makeRoom(own)
      const place = { onLost }
      taken.set(client, (taken.get(client) ?? new Set()).add(place))
      all += 1
      return { leave: () => giveBack(client, place) }
    },
  }
}
