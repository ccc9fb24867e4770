import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { isTold } from '../../relayer/concurrency/told-events.ts'
import type { LiveBody } from '../route/route.ts'

/** How often a stream without news shows that it is alive: proxies close what is silent. */
const PING_MS = 12_000
/** Bytes that a client may leave unread before it is told no more. */
const MOST_UNREAD = 256 * 1_024

/** Milliseconds for which followers are written to before other work has its turn: whoever causes an event waits for its answer. */
const WRITE_MS = 0.5

/** Made once, for an error takes a stack with it. */
const OVER = new Error('the stream is over')

const PING = ':\n\n'
const COMPLETE = 'event: complete\ndata:\n\n'

/** One event as it is sent. */
export const writeEvent = (json: string): Buffer => Buffer.from(`event: next\ndata: ${json}\n\n`)

/** What a stream is made of. */
export interface StreamParts {
  events: AsyncIterable<unknown>
  /** An event as it is sent. */
  encode(event: unknown): Buffer | Promise<Buffer>
  /** An error that ends the events, as it is sent. */
  encodeError(error: unknown): Buffer
  /** Is aborted when the stream has ended; ends the events. */
  ending: AbortController
}

/** Streams of server-sent events. */
export interface EventStreams {
  open(parts: StreamParts): LiveBody
}

/** Creates the streams; one timer serves all of them. */
export function createEventStreams(): EventStreams {
  const open = new Set<ServerResponse>()
  const later = createTurns()
  let timer: NodeJS.Timeout | undefined

  const ping = () => {
    for (const response of open) if (response.writableLength === 0) response.write(PING)
  }

  function add(response: ServerResponse): void {
    open.add(response)
    timer ??= setInterval(ping, PING_MS).unref()
  }

  function remove(response: ServerResponse): void {
    open.delete(response)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    open: (parts) => ({
      stream: (response) =>
        new Promise((resolve) => {
          const finish = () => {
            remove(response)
            parts.ending.abort(OVER)
            resolve()
          }
          if (response.destroyed || response.closed) {
            finish()
            return
          }
          response.once('close', finish)
          add(response)
          // Some browsers say nothing of a stream before its first bytes.
          response.write(PING)
          if (isTold(parts.events)) hear(response, parts, later)
          else void pull(response, parts)
        }),
    }),
  }
}

/** Runs work in the order in which it is given, a little in each turn of the event loop. */
function createTurns(): (work: () => void) => void {
  let waiting: (() => void)[] = []
  let next = 0
  const run = () => {
    const until = performance.now() + WRITE_MS
    while (next < waiting.length && performance.now() < until) {
      waiting[next]?.()
      next += 1
    }
    if (next < waiting.length) setImmediate(run)
    else [waiting, next] = [[], 0]
  }
  return (work) => {
    waiting.push(work)
    if (waiting.length === 1) setImmediate(run)
  }
}

/** Sends what is told, without waiting for the client. One that does not read loses its stream. */
function hear(
  response: ServerResponse,
  { events, encode, encodeError }: StreamParts,
  later: (work: () => void) => void,
): void {
  /** Only where an event takes time to encode. */
  let before: Promise<void> | null = null
  const inTurn = (work: () => void | Promise<void>) => {
    // Others are told of the same event after this one.
    try {
      if (before) before = before.then(work)
      else before = work() ?? null
      before?.catch(() => response.destroy())
    } catch {
      response.destroy()
    }
  }
  const write = (text: Buffer) =>
    later(() => {
      if (response.writableLength > MOST_UNREAD) response.destroy()
      else if (response.writable) response.write(text)
    })
  if (!isTold(events)) return
  events.listen({
    next: (event) =>
      inTurn(() => {
        const text = encode(event)
        return text instanceof Promise ? text.then(write) : write(text)
      }),
    end: (error) =>
      inTurn(() => {
        if (error !== undefined) write(encodeError(error))
        later(() => response.end(COMPLETE))
      }),
  })
}

/** Sends one event after the other, each when the client has read the one before. */
async function pull(response: ServerResponse, { events, encode, encodeError, ending }: StreamParts) {
  const { signal } = ending
  try {
    for await (const event of events) {
      if (!response.write(await encode(event)) && !signal.aborted)
        await once(response, 'drain', { signal }).catch(() => undefined)
      if (response.destroyed) return
    }
  } catch (error) {
    if (!response.destroyed) response.write(encodeError(error))
  }
  response.end(COMPLETE)
}
