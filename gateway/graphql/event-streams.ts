import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { isTold, type EventListener } from '../../relayer/concurrency/told-events.ts'
import type { LiveBody } from '../route/route.ts'
import { endOf, GONE } from './stream-ends.ts'

/** Interval between pings of a stream without events: proxies close silent connections. */
const PING_MS = 12_000
/** Turns per interval: pinging a thousand streams at once would block all else for a tenth of a second. */
const PING_TURNS = 12
/** Unread bytes at which a client loses its stream. */
const MOST_UNREAD = 256 * 1_024

/** Milliseconds of writing to followers before other work gets a turn. */
const WRITE_MS = 0.5
/** Followers that are written to at once, whatever else there is to do. */
const FEW = 32
/** Longest delay of further writes while requests run, so that the client whose request caused an event gets its answer first. */
const PATIENCE_MS = 100
/** Interval of checks whether the requests have ended. */
const LOOK_MS = 4

const PING = ':\n\n'
const COMPLETE_EVENT = 'event: complete\ndata:\n\n'

/** Formats one event for sending. */
export const writeEvent = (json: string): Buffer => Buffer.from(`event: next\ndata: ${json}\n\n`)

/** Encodes an event, or the error that ends the events, for sending. */
type Encode = (event: unknown) => Buffer | Promise<Buffer>
type EncodeError = (error: unknown) => Buffer

/** All that a stream keeps of its request; there may be a thousand streams. */
export interface StreamParts {
  events: AsyncIterable<unknown>
  encode: Encode
  encodeError: EncodeError
  /**
   * Aborted when the stream has ended, or to end it; ends the events. Its reason decides how the stream ends
   * (stream-ends.ts).
   */
  ending: AbortController
  /** Called when the stream has ended. */
  leave(): void
}

/** Streams of server-sent events. */
export interface EventStreams {
  open(parts: StreamParts): LiveBody
}

/**
 * Creates the streams; one timer serves all of them.
 *
 * @param isBusy Whether requests are running.
 * @param report Receives the reason of an unintended end of a stream.
 */
export function createEventStreams(isBusy: () => boolean, report: (error: unknown) => void): EventStreams {
  /** Time of each stream's next ping, by performance.now(), earliest first. */
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

  /** Separate from the parts, because a closure would keep them all. @returns True if the client is still there. */
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
    // Some browsers report an open stream only after its first bytes.
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

/** Encoders of a stream's events, and the signal that ends it. */
type EventWriting = Pick<StreamParts, 'encode' | 'encodeError'> & {
  signal: AbortSignal
  report(error: unknown): void
}

type Later = (work: () => void) => void

/** Runs work in order, a little in each turn of the event loop; larger backlogs wait until no request runs. */
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

/** Sends shared events without waiting for the client. A client that does not read loses its stream. */
class Hearer implements EventListener<unknown> {
  readonly #response: ServerResponse
  readonly #writing: EventWriting
  readonly #later: Later
  /** Set only while an event takes time to encode. */
  #before: Promise<void> | null = null
  /** Bytes of the next write, sent together; null while there are none. */
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
    // A failure must not keep the event from the streams that come after this one.
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

/** Sends events one by one, each after the client has read the one before. */
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

/** Ends a stream in the way that the reason for its end demands. */
function finish(response: ServerResponse, { encodeError, signal }: EventWriting): void {
  const end = endOf(signal)
  if (end === 'cut') response.end()
  else if (end === 'refused')
    response.end(Buffer.concat([encodeError(signal.reason), Buffer.from(COMPLETE_EVENT)]))
  else response.end(COMPLETE_EVENT)
}
