import { ServiceError } from '../service-error.ts'

/** Who follows requests needs no token, and has a connection for as long as the stream lasts. */
const MOST = 1_024
/** Of one client, behind whose address many people may be. */
const MOST_OF_CLIENT = 64
const RETRY_SECONDS = 60

/** Places of those who follow requests, in this instance. */
export interface FollowerPlaces {
  /**
   * Takes one.
   *
   * @returns a function that gives it back.
   * @throws ServiceError `too-many-requests` when the client has all of its own, 503 SERVER_BUSY when all are taken.
   */
  take(client: string): () => void
}

export function createFollowerPlaces(most = MOST, mostOfClient = MOST_OF_CLIENT): FollowerPlaces {
  const taken = new Map<string, number>()
  let all = 0

  return {
    take(client) {
      const own = taken.get(client) ?? 0
      if (own >= mostOfClient)
        throw new ServiceError(
          'too-many-requests',
          `One client follows at most ${mostOfClient} requests at once`,
          { retryable: true, retryAfterSeconds: RETRY_SECONDS },
        )
      if (all >= most)
        throw new ServiceError('unavailable', 'Too many requests are being followed; ask for the status', {
          code: 'SERVER_BUSY',
        })
      taken.set(client, own + 1)
      all += 1
      return () => {
        const left = (taken.get(client) ?? 1) - 1
        if (left > 0) taken.set(client, left)
        else taken.delete(client)
        all -= 1
      }
    },
  }
}
