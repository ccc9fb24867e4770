import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import type { RequestProgress } from './withdrawals.ts'

/** How long the progress of a request without a row (refused, or still being checked) can be read. */
const KEPT_MS = 10 * 60_000

/** Live progress of requests, by request and by note; shared between instances where Redis is. */
export interface RequestBoard {
  /** Publishes progress. `nullifierHash` is null until the request has shown a canonical one. */
  publish(progress: RequestProgress, nullifierHash: bigint | null): Promise<void>
  /** Whether anybody may follow a request or a note. */
  isFollowed(): boolean
  /** Forgets a request that joined an earlier one; its id is given to no client. */
  forget(requestId: string): Promise<void>
  /** The latest progress that is still remembered. */
  latest(requestId: string): Promise<RequestProgress | null>
  listen(
    of: { requestId: string } | { nullifierHash: string },
    listener: (progress: RequestProgress) => void,
  ): Promise<() => Promise<void>>
}

const TOPICS = 'relay:'

const topicOf = (of: { requestId: string } | { nullifierHash: string }) =>
  'requestId' in of ? `${TOPICS}request:${of.requestId}` : `${TOPICS}note:${of.nullifierHash}`

/**
 * Creates the board over the shared state, where the last progress of a request stays readable for ten minutes.
 */
export function createRequestBoard(state: SharedState): RequestBoard {
  return {
    async publish(progress, nullifierHash) {
      const message = JSON.stringify(progress)
      await Promise.all([
        state.set(topicOf(progress), message, KEPT_MS),
        state.publish(topicOf(progress), message),
        ...(nullifierHash === null
          ? []
          : [state.publish(topicOf({ nullifierHash: nullifierHash.toString() }), message)]),
      ])
    },
    isFollowed: () => state.mayBeHeard(TOPICS),
    forget: (requestId) => state.delete(topicOf({ requestId })),
    async latest(requestId) {
      const message = await state.get(topicOf({ requestId }))
      return message === null ? null : (JSON.parse(message) as RequestProgress)
    },
    listen: (of, listener) =>
      state.subscribe(topicOf(of), (message) => listener(JSON.parse(message) as RequestProgress)),
  }
}
