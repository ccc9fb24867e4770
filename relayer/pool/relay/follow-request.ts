import { setImmediate } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import type { Hash } from 'viem'
import {
  findRelayRequest,
  findRequestByNullifier,
  type RelayRequestRow,
} from '../../../db/pool/relay/relay-requests.ts'
import type { EventListener } from '../../concurrency/iterate-events.ts'
import type { FieldElement } from '../../../proving/field-element.ts'
import type { RequestBoard } from './request-progress.ts'
import type { RequestProgress } from './withdrawals.ts'
import { requestNotFound } from './errors.ts'

/** The key to follow a request by: its id, or the note that it spends. */
export type RequestKey = { requestId: string } | { nullifierHash: FieldElement }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the progress of a stored request. */
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
 * True if progress continues from the last reported one. Events can overtake each other, and several requests may
 * concern one note. Then the furthest one is followed, and another's failure is ignored. Exported for its test,
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
 * Reads the present progress of a request: its row if it has one, else the last published progress. For a note it is
 * that of the request that holds it; failed requests have released it.
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

/** A stream ends after this many milliseconds without news. A client may subscribe again and gets the present state first. */
const SILENCE_MS = 10 * 60_000
/** Maximum milliseconds between two searches for silent followers. */
const LOOK_MS = 30_000
/** Milliseconds of notifying followers before other work has its turn. */
const TURN_MS = 1
/** Followers notified between two reads of the clock. */
const TOLD_AT_ONCE = 8

/** The followers of requests, in this instance. */
export interface RequestFollowers {
  /**
   * Reports the present state, then every change. It ends when the request ends, after ten minutes without news, or
   * when the signal is aborted. A note may be followed before there is a request. An unknown or expired requestId
   * ends it with ServiceError `not-found`.
   *
   * @returns Ends it.
   */
  follow(key: RequestKey, signal: AbortSignal, listener: EventListener<RequestProgress>): () => void
  /** Reads every followed request again and reports news, because a notification may have been lost. */
  lookAgain(): void
}

/** A followed request with its followers. */
interface Topic {
  name: string
  key: RequestKey
  followers: Set<Follower>
  /** Progress that arrived while the followers were being notified. */
  waiting: RequestProgress[]
  isTelling: boolean
  unlisten: Promise<() => Promise<void>>
}

/** One object each: there may be a thousand, each of another request. */
interface Follower {
  topic: Topic
  signal: AbortSignal
  onAbort: () => void
  listener: EventListener<RequestProgress>
  last: RequestProgress | null
  /** Progress that arrived before the present state was read; null from then on. */
  early: RequestProgress[] | null
  /** Time of its last news, by performance.now(); infinite until it has the present state. */
  heardAt: number
}

class SharedFollowers implements RequestFollowers {
  readonly #database: DatabasePool
  readonly #board: RequestBoard
  readonly #silenceMs: number
  readonly #topics = new Map<string, Topic>()
  #timer: NodeJS.Timeout | undefined

  constructor(database: DatabasePool, board: RequestBoard, silenceMs: number) {
    this.#database = database
    this.#board = board
    this.#silenceMs = silenceMs
  }

  follow(key: RequestKey, signal: AbortSignal, listener: EventListener<RequestProgress>): () => void {
    if (signal.aborted) {
      listener.end()
      return () => {}
    }
    const name = 'requestId' in key ? `request ${key.requestId}` : `note ${key.nullifierHash}`
    const topic = this.#topics.get(name) ?? this.#openTopic(name, key)
    return this.#enter({
      topic,
      signal,
      onAbort: () => {},
      listener,
      last: null,
      early: [],
      heardAt: Infinity,
    })
  }

  lookAgain(): void {
    // A silent follower subscribes again.
    for (const topic of this.#topics.values()) void this.#lookAgainAt(topic).catch(() => undefined)
  }

  #openTopic(name: string, key: RequestKey): Topic {
    const topic: Topic = {
      name,
      key,
      followers: new Set(),
      waiting: [],
      isTelling: false,
      unlisten: this.#board.listen(key, (progress) => {
        topic.waiting.push(progress)
        void this.#tellAll(topic)
      }),
    }
    this.#topics.set(name, topic)
    this.#timer ??= setInterval(() => this.#endSilent(), Math.min(LOOK_MS, this.#silenceMs / 4)).unref()
    return topic
  }

  /** A method of its own, so that the follower's closure does not retain the caller's arguments. */
  #enter(follower: Follower): () => void {
    const onAbort = () => this.#end(follower)
    follower.onAbort = onAbort
    follower.signal.addEventListener('abort', onAbort)
    follower.topic.followers.add(follower)
    void this.#begin(follower).catch((error: unknown) => this.#end(follower, error))
    return onAbort
  }

  /** Progress during the read of the present state is reported after it. */
  async #begin(follower: Follower): Promise<void> {
    const { topic } = follower
    const { key } = topic
    await topic.unlisten
    const present = await readRequestProgress(this.#database, this.#board, key)
    const early = follower.early ?? []
    follower.early = null
    follower.heardAt = performance.now()
    if (!present && 'requestId' in key && early.length === 0) throw requestNotFound()
    for (const progress of present ? [present, ...early] : early)
      if (topic.followers.has(follower)) this.#tell(follower, progress)
  }

  async #lookAgainAt(topic: Topic): Promise<void> {
    const present = await readRequestProgress(this.#database, this.#board, topic.key)
    if (!present) return
    topic.waiting.push(present)
    await this.#tellAll(topic)
  }

  async #tellAll(topic: Topic): Promise<void> {
    if (topic.isTelling) return
    topic.isTelling = true
    await setImmediate()
    while (topic.waiting.length > 0) {
      const news = topic.waiting.splice(0)
      let told = 0
      let begunAt = performance.now()
      for (const follower of topic.followers) {
        for (const progress of news) this.#tell(follower, progress)
        told += 1
        if (told % TOLD_AT_ONCE !== 0 || performance.now() - begunAt < TURN_MS) continue
        await setImmediate()
        begunAt = performance.now()
      }
    }
    topic.isTelling = false
  }

  #tell(follower: Follower, progress: RequestProgress): void {
    if (follower.early) {
      follower.early.push(progress)
      return
    }
    if (!leadsOn(progress, follower.last)) return
    follower.last = progress
    follower.heardAt = performance.now()
    follower.listener.next(progress)
    if (isFinal(progress)) this.#end(follower)
  }

  #endSilent(): void {
    const now = performance.now()
    for (const { followers } of this.#topics.values())
      for (const follower of followers) if (now - follower.heardAt >= this.#silenceMs) this.#end(follower)
  }

  #end(follower: Follower, error?: unknown): void {
    const { topic, signal, onAbort, listener } = follower
    if (!topic.followers.delete(follower)) return
    this.#close(topic)
    signal.removeEventListener('abort', onAbort)
    listener.end(error)
  }

  #close(topic: Topic): void {
    if (topic.followers.size > 0 || this.#topics.get(topic.name) !== topic) return
    this.#topics.delete(topic.name)
    void topic.unlisten.then((unlisten) => unlisten()).catch(() => undefined)
    if (this.#topics.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/**
 * Creates the followers of requests. All followers of one request share one listener. They are notified in turns of a
 * millisecond, so that the request itself does not wait for a thousand of them.
 */
export const createRequestFollowers = (
  database: DatabasePool,
  board: RequestBoard,
  silenceMs = SILENCE_MS,
): RequestFollowers => new SharedFollowers(database, board, silenceMs)
