import { setImmediate } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import type { Hash } from 'viem'
import {
  findRelayRequest,
  findRequestByNullifier,
  type RelayRequestRow,
} from '../../../db/pool/relay/relay-requests.ts'
import type { EventListener } from '../../concurrency/told-events.ts'
import type { FieldElement } from '../../../proving/field-element.ts'
import type { RequestBoard } from './request-progress.ts'
import type { RequestProgress } from './withdrawals.ts'
import { requestNotFound } from './errors.ts'

/** What a request is followed by: its id, or the note that it spends. */
export type RequestKey = { requestId: string } | { nullifierHash: FieldElement }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The progress that a stored request has made. */
export function progressOfRow(row: RelayRequestRow): RequestProgress {
  return {
    requestId: row.id,
    chainId: row.chainId,
    status: row.status,
    txHash: row.txHash as Hash | null,
    error: row.error,
    updatedAt: row.updatedAt.getTime(),
  }
}

const ORDER = ['received', 'verified', 'simulated', 'broadcast', 'confirmed', 'failed'] as const
const stepOf = ({ status }: RequestProgress) => ORDER.indexOf(status)

/**
 * Whether progress continues from the last that was reported. Events can overtake each other, and several requests
 * may concern one note: then the furthest one is followed, and the failure of another is ignored. Exported for its test,
 * because real requests rarely overtake each other.
 */
export function leadsOn(next: RequestProgress, last: RequestProgress | null): boolean {
  if (!last || stepOf(next) > stepOf(last))
    return !last || next.requestId === last.requestId || next.status !== 'failed'
  const isReplaced = next.txHash !== null && next.txHash !== last.txHash
  return next.requestId === last.requestId && next.status === last.status && isReplaced
}

const isFinal = ({ status }: RequestProgress) => status === 'confirmed' || status === 'failed'

/**
 * The present progress of a request: its row if it has one, else what was published recently. For a note it is that
 * of the request that holds it; failed requests have released it.
 */
export async function readRequestProgress(
  database: DatabasePool,
  board: RequestBoard,
  key: RequestKey,
): Promise<RequestProgress | null> {
  if ('nullifierHash' in key) {
    const row = await findRequestByNullifier(database, BigInt(key.nullifierHash))
    return row && progressOfRow(row)
  }
  if (!UUID.test(key.requestId)) return null
  const row = await findRelayRequest(database, key.requestId)
  return row ? progressOfRow(row) : board.latest(key.requestId)
}

/**
 * A stream ends after this long without news. A client that still wants to know subscribes again and gets the present
 * state first.
 */
const SILENCE_MS = 10 * 60_000
/** How often silent followers are looked for, at most. */
const LOOK_MS = 30_000
/** Time that followers are told before other work has its turn. */
const TURN_MS = 1
/** Followers that are told before the clock is read. */
const TOLD_AT_ONCE = 8

/** Those who follow requests, in this instance. */
export interface RequestFollowers {
  /**
   * Tells the present state, then every change until the request has ended, nothing was heard for ten minutes, or the signal
   * is aborted. A note may be followed before there is a request. Ends with ServiceError `not-found` for a requestId that is
   * not known (any more): nothing will ever be heard of it.
   *
   * @returns Ends it.
   */
  follow(key: RequestKey, signal: AbortSignal, listener: EventListener<RequestProgress>): () => void
  /** Tells all the present state where it is news to them: something may not have been heard. */
  lookAgain(): void
}

/** What is followed, and by whom. */
interface Topic {
  name: string
  key: RequestKey
  followers: Set<Follower>
  /** What came while the followers were told of something else. */
  waiting: RequestProgress[]
  isTelling: boolean
  unlisten: Promise<() => Promise<void>>
}

/** There may be a thousand, each of another request: one object each. */
interface Follower {
  topic: Topic
  signal: AbortSignal
  onAbort: () => void
  listener: EventListener<RequestProgress>
  last: RequestProgress | null
  /** What came before the present state was read; null from then on. */
  early: RequestProgress[] | null
  /** When it last heard something; endless until it has the present state. */
  heardAt: number
}

/**
 * Creates the followers of requests. All who follow one request hear of it by one listener, in turns of a millisecond, so
 * that the request itself does not wait for a thousand of them.
 */
export function createRequestFollowers(
  database: DatabasePool,
  board: RequestBoard,
  silenceMs = SILENCE_MS,
): RequestFollowers {
  const topics = new Map<string, Topic>()
  let timer: NodeJS.Timeout | undefined

  function tell(follower: Follower, progress: RequestProgress): void {
    if (follower.early) {
      follower.early.push(progress)
      return
    }
    if (!leadsOn(progress, follower.last)) return
    follower.last = progress
    follower.heardAt = performance.now()
    follower.listener.next(progress)
    if (isFinal(progress)) end(follower)
  }

  async function tellAll(topic: Topic): Promise<void> {
    if (topic.isTelling) return
    topic.isTelling = true
    await setImmediate()
    while (topic.waiting.length > 0) {
      const news = topic.waiting.splice(0)
      let told = 0
      let begunAt = performance.now()
      for (const follower of topic.followers) {
        for (const progress of news) tell(follower, progress)
        told += 1
        if (told % TOLD_AT_ONCE !== 0 || performance.now() - begunAt < TURN_MS) continue
        await setImmediate()
        begunAt = performance.now()
      }
    }
    topic.isTelling = false
  }

  function openTopic(name: string, key: RequestKey): Topic {
    const topic: Topic = {
      name,
      key,
      followers: new Set(),
      waiting: [],
      isTelling: false,
      unlisten: board.listen(key, (progress) => {
        topic.waiting.push(progress)
        void tellAll(topic)
      }),
    }
    topics.set(name, topic)
    timer ??= setInterval(endSilent, Math.min(LOOK_MS, silenceMs / 4)).unref()
    return topic
  }

  function end(follower: Follower, error?: unknown): void {
    const { topic, signal, onAbort, listener } = follower
    if (!topic.followers.delete(follower)) return
    close(topic)
    signal.removeEventListener('abort', onAbort)
    listener.end(error)
  }

  function close(topic: Topic): void {
    if (topic.followers.size > 0 || topics.get(topic.name) !== topic) return
    topics.delete(topic.name)
    void topic.unlisten.then((unlisten) => unlisten()).catch(() => undefined)
    if (topics.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function endSilent(): void {
    const now = performance.now()
    for (const { followers } of topics.values())
      for (const follower of followers) if (now - follower.heardAt >= silenceMs) end(follower)
  }

  const follow: RequestFollowers['follow'] = (key, signal, listener) => {
    if (signal.aborted) {
      listener.end()
      return () => {}
    }
    const name = 'requestId' in key ? `request ${key.requestId}` : `note ${key.nullifierHash}`
    const topic = topics.get(name) ?? openTopic(name, key)
    return enter({
      topic,
      signal,
      onAbort: () => {},
      listener,
      last: null,
      early: [],
      heardAt: Infinity,
    })
  }

  /** Apart from what it was asked with, which is not kept. */
  function enter(follower: Follower): () => void {
    const onAbort = () => end(follower)
    follower.onAbort = onAbort
    follower.signal.addEventListener('abort', onAbort)
    follower.topic.followers.add(follower)
    void begin(follower).catch((error: unknown) => end(follower, error))
    return onAbort
  }

  /** What happens while the present state is read is told after it. */
  async function begin(follower: Follower): Promise<void> {
    const { topic } = follower
    const { key } = topic
    await topic.unlisten
    const present = await readRequestProgress(database, board, key)
    const early = follower.early ?? []
    follower.early = null
    follower.heardAt = performance.now()
    if (!present && 'requestId' in key && early.length === 0) throw requestNotFound()
    for (const progress of present ? [present, ...early] : early)
      if (topic.followers.has(follower)) tell(follower, progress)
  }

  async function lookAgainAt(topic: Topic): Promise<void> {
    const present = await readRequestProgress(database, board, topic.key)
    if (!present) return
    topic.waiting.push(present)
    await tellAll(topic)
  }

  return {
    follow,
    lookAgain() {
      // Whoever hears nothing for long asks again.
      for (const topic of topics.values()) void lookAgainAt(topic).catch(() => undefined)
    },
  }
}
