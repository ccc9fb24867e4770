import type { EventListener } from '../../concurrency/told-events.ts'
import { serverBusy } from '../../errors.ts'
import type { RequestFollowers, RequestKey } from './follow-request.ts'
import type { SubscriptionLimit, SubscriptionSlot } from './subscription-limit.ts'
import type { RequestProgress } from './withdrawals.ts'

interface Rooms {
  places: SubscriptionLimit
  followers: RequestFollowers
}

/** Follows a request in one of the limited places; without a free one it ends at once with that error. */
export function followInPlace(
  rooms: Rooms,
  { key, clientAddress, signal }: { key: RequestKey; clientAddress: string; signal: AbortSignal },
  listener: EventListener<RequestProgress>,
): void {
  const place = new Place(rooms.places, clientAddress, listener)
  try {
    rooms.places.take(place)
  } catch (error) {
    listener.end(error)
    return
  }
  place.leave = rooms.followers.follow(key, signal, place)
}

/** A follower in a place. One object each, because there may be a thousand. */
class Place implements SubscriptionSlot, EventListener<RequestProgress> {
  readonly client: string
  readonly #places: SubscriptionLimit
  readonly #listener: EventListener<RequestProgress>
  leave: () => void = () => {}
  #failure: unknown

  constructor(places: SubscriptionLimit, client: string, listener: EventListener<RequestProgress>) {
    this.client = client
    this.#places = places
    this.#listener = listener
  }

  onLost(): void {
    this.#failure = serverBusy('Another client needs this place; follow the request again in a moment')
    this.leave()
  }

  next(progress: RequestProgress): void {
    this.#listener.next(progress)
  }

  end(error?: unknown): void {
    this.#places.leave(this)
    this.#listener.end(error ?? this.#failure)
  }
}
