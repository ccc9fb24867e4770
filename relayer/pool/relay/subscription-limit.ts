import { serverBusy } from '../../errors.ts'
import { tooManySubscriptions } from './errors.ts'

/** Maximum of followers, who need no token and hold a connection as long as the stream lasts. */
const MOST = 1_024
/** Maximum of one client, whose address many people may share. */
const MOST_OF_CLIENT = 64

/** A place of a follower. */
export interface SubscriptionSlot {
  readonly client: string
  /** Called when another client gets the place: the stream ends, and its client may subscribe again. */
  onLost(): void
}

/** The followers' places in this instance. */
export interface SubscriptionLimit {
  /**
   * Takes a place. If all are taken, the client with the most loses its oldest to a client with fewer. So newcomers
   * are never shut out.
   *
   * @throws ServiceError `too-many-requests` if the client holds all of its own places. 503 SERVER_BUSY if all are
   * taken and no client has more than this one would.
   */
  take(slot: SubscriptionSlot): void
  /** Gives a place back; does nothing if it was lost. */
  leave(slot: SubscriptionSlot): void
}

/** Creates a limit of `most` places in this instance, of which one client may hold `mostOfClient`. */
export function createSubscriptionLimit(most = MOST, mostOfClient = MOST_OF_CLIENT): SubscriptionLimit {
  /** Each client's places, the oldest first; clients in order of arrival. */
  const taken = new Map<string, Set<SubscriptionSlot>>()
  let all = 0

  function leave(slot: SubscriptionSlot): void {
    const places = taken.get(slot.client)
    if (!places?.delete(slot)) return
    if (places.size === 0) taken.delete(slot.client)
    all -= 1
  }

  /** Among equals, the client that arrived first. */
  function findBiggest(): Set<SubscriptionSlot> | null {
    let biggest: Set<SubscriptionSlot> | null = null
    for (const places of taken.values()) if (!biggest || places.size > biggest.size) biggest = places
    return biggest
  }

  function makeRoom(own: number): void {
    const biggest = findBiggest()
    const [oldest] = biggest ?? []
    // A client without a place always gets one.
    if (!biggest || !oldest || (own > 0 && biggest.size <= own + 1))
      throw serverBusy('Too many requests are being followed; ask for the status')
    leave(oldest)
    oldest.onLost()
  }

  return {
    take(slot) {
      const { client } = slot
      const own = taken.get(client)?.size ?? 0
      if (own >= mostOfClient)
        throw tooManySubscriptions(`One client follows at most ${mostOfClient} requests at once`)
      if (all >= most) makeRoom(own)
      taken.set(client, (taken.get(client) ?? new Set()).add(slot))
      all += 1
    },
    leave,
  }
}
