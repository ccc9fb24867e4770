import { serverBusy } from '../../errors.ts'
import { tooManySubscriptions } from './errors.ts'

/** Who follows requests needs no token, and has a connection for as long as the stream lasts. */
const MOST = 1_024
/** Of one client, behind whose address many people may be. */
const MOST_OF_CLIENT = 64

/** A place among those who follow requests. */
export interface SubscriptionSlot {
  readonly client: string
  /** Is called when it is given to another client: the stream ends, and its client may ask again. */
  onLost(): void
}

/** Places of those who follow requests, in this instance. */
export interface SubscriptionLimit {
  /**
   * Takes a place. When all are taken, the client with the most loses its oldest to a client that has fewer, so newcomers are
   * never shut out.
   *
   * @throws ServiceError `too-many-requests` when the client holds all of its own places, 503 SERVER_BUSY when all
   * are taken and no client has more than this one would.
   */
  take(slot: SubscriptionSlot): void
  /** Gives a place back, or nothing where it was lost. */
  leave(slot: SubscriptionSlot): void
}

/** Creates a limit of `most` places in this instance, of which one client may hold `mostOfClient`. */
export function createSubscriptionLimit(most = MOST, mostOfClient = MOST_OF_CLIENT): SubscriptionLimit {
  /** Each client's places, the oldest first; clients in the order in which they came. */
  const taken = new Map<string, Set<SubscriptionSlot>>()
  let all = 0

  function leave(slot: SubscriptionSlot): void {
    const places = taken.get(slot.client)
    if (!places?.delete(slot)) return
    if (places.size === 0) taken.delete(slot.client)
    all -= 1
  }

  /** Among equals the client that came first. */
  function findBiggest(): Set<SubscriptionSlot> | null {
    let biggest: Set<SubscriptionSlot> | null = null
    for (const places of taken.values()) if (!biggest || places.size > biggest.size) biggest = places
    return biggest
  }

  function makeRoom(own: number): void {
    const biggest = findBiggest()
    const [oldest] = biggest ?? []
    // Who has none yet always gets one.
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
