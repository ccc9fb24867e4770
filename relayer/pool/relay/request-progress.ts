import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import type { RequestProgress } from './withdrawals.ts'

/** How long the progress of a request without a row (refused, or still being checked) can be read. */
const KEPT_MS = 10 * 60_000

/** What is listened to: one request, or whichever is about a note. */
type Followed = { requestId: string } | { nullifierHash: string }

/** Live progress of requests, by request and by note; shared between instances where Redis is. */
export interface RequestBoard {
  /** Publishes progress. `nullifierHash` is null until the request has shown a canonical one. */
  publish(progress: RequestProgress, nullifierHash: bigint | null): Promise<void>
  /** Tells the listeners of this instance alone, of what each instance hears by itself. */
  tellHere(progress: RequestProgress, nullifierHash: bigint): void
  /** Whether anybody listens in this instance. */
  isFollowedHere(): boolean
  /** Forgets a request that joined an earlier one; its id is given to no client. */
  forget(requestId: string): Promise<void>
  /** The latest progress that is still remembered. */
  latest(requestId: string): Promise<RequestProgress | null>
  listen(of: Followed, listener: (progress: RequestProgress) => void): Promise<() => Promise<void>>
}

/** All progress has one topic, so that a step is one message. */
const TOPIC = 'relay'

interface Told {
  progress: RequestProgress
  nullifierHash: string | null
}

const keyOf = (of: Followed) =>
  'requestId' in of ? `relay:request:${of.requestId}` : `relay:note:${of.nullifierHash}`

/**
 * Creates the board over the shared state, where the last progress of a request stays readable for ten minutes. An instance
 * hears what others publish while somebody listens in it.
 */
export function createRequestBoard(state: SharedState): RequestBoard {
  const here = new Map<string, Set<{ listener: (progress: RequestProgress) => void }>>()
  let hearing: Promise<() => Promise<void>> | null = null

  function tell({ progress, nullifierHash }: Told): void {
    const keys = [keyOf(progress), ...(nullifierHash === null ? [] : [keyOf({ nullifierHash })])]
    for (const key of keys) for (const { listener } of here.get(key) ?? []) listener(progress)
  }

  async function unlisten(key: string, entry: { listener: (progress: RequestProgress) => void }) {
    const entries = here.get(key)
    entries?.delete(entry)
    if (entries?.size === 0) here.delete(key)
    if (here.size > 0) return
    const ending = hearing
    hearing = null
    await (
      await ending
    )?.()
  }

  return {
    async publish(progress, nullifierHash) {
      const told: Told = { progress, nullifierHash: nullifierHash === null ? null : String(nullifierHash) }
      await Promise.all([
        state.set(keyOf(progress), JSON.stringify(progress), KEPT_MS),
        ...(state.mayBeHeard(TOPIC) ? [state.publish(TOPIC, JSON.stringify(told))] : []),
      ])
    },
    tellHere: (progress, nullifierHash) => tell({ progress, nullifierHash: String(nullifierHash) }),
    isFollowedHere: () => here.size > 0,
    forget: (requestId) => state.delete(keyOf({ requestId })),
    async latest(requestId) {
      const message = await state.get(keyOf({ requestId }))
      return message === null ? null : (JSON.parse(message) as RequestProgress)
    },
    async listen(of, listener) {
      const key = keyOf(of)
      const entry = { listener }
      here.set(key, (here.get(key) ?? new Set()).add(entry))
      hearing ??= state.subscribe(TOPIC, (message) => tell(JSON.parse(message) as Told))
      await hearing
      return () => unlisten(key, entry)
    },
  }
}
