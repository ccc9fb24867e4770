import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { isTold, type EventListener } from '../../relayer/concurrency/told-events.ts'
import type { LiveBody } from '../route/route.ts'
import { endOf, GONE } from './stream-ends.ts'

/** How often a stream without news shows that it is alive: proxies close what is silent. */
const PING_MS = 12_000
/** In how many turns all streams do that: a thousand at once would hold everything else for a tenth of a second. */
const PING_TURNS = 12
/** Bytes that a client may leave unread before it is told no more. */
const MOST_UNREAD = 256 * 1_024

/** Milliseconds for which followers are written to before other work has its turn. */
const WRITE_MS = 0.5
/** Followers who are written to at once, whatever else there is to do. */
const FEW = 32
/** How long more of them wait for the requests under way: whoever causes an event has its answer first. */
const PATIENCE_MS = 100
/** How often is looked whether the requests have ended. */
const LOOK_MS = 4

const PING = ':\n\n'
const COMPLETE_EVENT = 'event: complete\ndata:\n\n'

/** One event as it is sent. */
export const writeEvent = (json: string): Buffer => Buffer.from(`event: next\ndata: ${json}\n\n`)

/** Encodes an event, or an error that ends the events, as it is sent. */
type Encode = (event: unknown) => Buffer | Promise<Buffer>
type EncodeError = (error: unknown) => Buffer

/** What a stream is made of: all that is kept of its request, for there may be a thousand of them. */
export interface StreamParts {
  events: AsyncIterable<unknown>
  encode: Encode
  encodeError: EncodeError
  /** Is aborted when the stream has ended, or to end it; ends the events. Its reason decides how the stream ends (stream-ends.ts). */
  ending: AbortController
  /** Is called when the stream has ended. */
  leave(): void
}

/** Streams of server-sent events. */
export interface EventStreams {
  open(parts: StreamParts): LiveBody
}

/**
 * Creates the streams; one timer serves all of them.
 *
 * @param isBusy Whether requests are under way.
 * @param report Is told why a stream was cut that nobody wanted to end.
 */
export function createEventStreams(isBusy: () => boolean, report: (error: unknown) => void): EventStreams {
  /** When each is to show that it is alive, by performance.now(); those whose turn comes first are first. */
  const open = new Map<ServerResponse, number>()
  const later = createTurns(isBusy)
  let timer: NodeJS.Timeout | undefined

  const ping = () => {
    const now = performance.now()
    let left = Math.ceil(open.size / PING_TURNS)
    for (const [response, pingAt] of open) {
      if (pingAt > now || left === 0) return
      left -= 1
      open.delete(response)
      open.set(response, now + PING_MS)
      if (response.writableLength === 0) response.write(PING)
    }
  }

  function remove(response: ServerResponse): void {
    open.delete(response)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** Apart from the parts, of which a closure would keep all. @returns Whether there is somebody to write to. */
  function enter(response: ServerResponse, ending: AbortController, leave: () => void): boolean {
    const finish = () => {
      remove(response)
      ending.abort(GONE)
      leave()
    }
    if (response.destroyed || response.closed) {
      finish()
      return false
    }
    response.on('close', finish)
    open.set(response, performance.now() + PING_MS)
    timer ??= setInterval(ping, PING_MS / PING_TURNS).unref()
    // Some browsers say nothing of a stream before its first bytes.
    response.write(PING)
    return true
  }

  function begin(response: ServerResponse, { events, encode, encodeError, ending, leave }: StreamParts) {
    if (!enter(response, ending, leave)) return
    if (isTold(events))
      events.listen(new Hearer(response, { encode, encodeError, signal: ending.signal, report }, later))
    else void pull(response, events, { encode, encodeError, signal: ending.signal, report })
  }

  return { open: (parts) => ({ stream: (response) => begin(response, parts) }) }
}

/** How the events of a stream are written, and the signal that ends it. */
type EventWriting = Pick<StreamParts, 'encode' | 'encodeError'> & {
  signal: AbortSignal
  report(error: unknown): void
}

type Later = (work: () => void) => void

/** Runs work in the order in which it is given, a little in each turn of the event loop; much of it once nobody waits. */
function createTurns(isBusy: () => boolean): Later {
  let waiting: (() => void)[] = []
  let next = 0
  let since = 0
  const run = () => {
    const now = performance.now()
    if (waiting.length - next > FEW && now - since < PATIENCE_MS && isBusy()) {
      setTimeout(run, LOOK_MS)
      return
    }
    const until = now + WRITE_MS
    while (next < waiting.length && performance.now() < until) {
      waiting[next]?.()
      next += 1
    }
    if (next < waiting.length) setImmediate(run)
    else [waiting, next] = [[], 0]
  }
  return (work) => {
    waiting.push(work)
    if (waiting.length > 1) return
    since = performance.now()
    setImmediate(run)
  }
}

/** Sends what is told, without waiting for the client. One that does not read loses its stream. */
class Hearer implements EventListener<unknown> {
  readonly #response: ServerResponse
  readonly #writing: EventWriting
  readonly #later: Later
  /** Only where an event takes time to encode. */
  #before: Promise<void> | null = null
  /** What is written next, all at once; null while there is nothing. */
  #pending: Buffer[] | null = null

  constructor(response: ServerResponse, writing: EventWriting, later: Later) {
    this.#response = response
    this.#writing = writing
    this.#later = later
  }

  next(event: unknown): void {
    this.#inTurn(() => {
      const text = this.#writing.encode(event)
      return text instanceof Promise ? text.then((encoded) => this.#write(encoded)) : this.#write(text)
    })
  }

  end(error?: unknown): void {
    this.#inTurn(() => {
      if (error !== undefined) this.#write(this.#writing.encodeError(error))
      this.#later(() => finish(this.#response, this.#writing))
    })
  }

  #inTurn(work: () => void | Promise<void>): void {
    // Others are told of the same event after this one.
    try {
      if (this.#before) this.#before = this.#before.then(work)
      else this.#before = work() ?? null
      this.#before?.catch((error: unknown) => this.#cut(error))
    } catch (error) {
      this.#cut(error)
    }
  }

  #cut(error: unknown): void {
    if (!this.#response.destroyed) this.#writing.report(error)
    this.#response.destroy()
  }

  #write(text: Buffer): void {
    if (this.#pending) {
      this.#pending.push(text)
      return
    }
    this.#pending = [text]
    this.#later(() => this.#flush())
  }

  #flush(): void {
    const response = this.#response
    const [first, ...more] = this.#pending ?? []
    this.#pending = null
    if (response.writableLength > MOST_UNREAD) response.destroy()
    else if (first && response.writable)
      response.write(more.length > 0 ? Buffer.concat([first, ...more]) : first)
  }
}

/** Sends one event after the other, each when the client has read the one before. */
async function pull(response: ServerResponse, events: AsyncIterable<unknown>, writing: EventWriting) {
  const { encode, encodeError, signal } = writing
  try {
    for await (const event of events) {
      if (!response.write(await encode(event)) && !signal.aborted)
        await once(response, 'drain', { signal }).catch(() => undefined)
      if (response.destroyed) return
    }
  } catch (error) {
    if (!response.destroyed) response.write(encodeError(error))
  }
  finish(response, writing)
}

/** Ends a stream as the reason for its end demands. */
function finish(response: ServerResponse, { encodeError, signal }: EventWriting): void {
  const end = endOf(signal)
  if (end === 'cut') response.end()
  else if (end === 'refused')
    response.end(Buffer.concat([encodeError(signal.reason), Buffer.from(COMPLETE_EVENT)]))
  else response.end(COMPLETE_EVENT)
}
