import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import type { RequestProgress } from './withdrawals.ts'

/** Milliseconds for which the progress of a request without a row (refused, or still being checked) can be read. */
const KEPT_MS = 10 * 60_000

/** The key of a listener: one request, or any request about a note. */
type Followed = { requestId: string } | { nullifierHash: string }

/** Live progress of requests, by request and by note; shared between instances through Redis, if configured. */
export interface RequestBoard {
  /** Publishes progress. `nullifierHash` is null until the request has shown a canonical one. */
  publish(progress: RequestProgress, nullifierHash: bigint | null): Promise<void>
  /** Notifies the listeners of this instance only, for progress that each instance receives on its own. */
  tellHere(progress: RequestProgress, nullifierHash: bigint): void
  /** True if a listener exists in this instance. */
  isFollowedHere(): boolean
  /** Forgets a request that joined an earlier one; its id is given to no client. */
  forget(requestId: string): Promise<void>
  /** Returns the latest progress that is still stored. */
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
 * Creates the board over the shared state, where a request's last progress stays readable for ten minutes. An
 * instance subscribes to others' progress only while it has a listener.
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
