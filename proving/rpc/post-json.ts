import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
// Not the package's own entry, which sets its agent for global fetch too and takes twice the memory in each thread.
import Agent from 'undici/lib/dispatcher/agent.js'

/** Requests of one thread to a node beyond this wait, so that a hanging node holds no more sockets. */
const SOCKETS_PER_NODE = 64

/** HTTP/1.1 without redirects. Only the caller's signal limits the time. */
const openAgent = (pipelining: 0 | 1) =>
  new Agent({ connections: SOCKETS_PER_NODE, pipelining, allowH2: false, headersTimeout: 0, bodyTimeout: 0 })

/** One request at a time on each persistent connection. */
const keeping = openAgent(1)

/** A connection for each request, to repeat a request that a persistent one has failed: the others may be as dead. */
const renewing = openAgent(0)

/** Connections that this thread has opened so far, by origin. */
const opened = new Map<string, number>()
for (const agent of [keeping, renewing])
  agent.on('connect', ({ origin }: URL) => opened.set(origin, (opened.get(origin) ?? 0) + 1))

/**
 * Returns how many connections this thread has opened to the origin of a URL so far: behind a new one another node may
 * answer.
 */
export const countConnections = (url: string): number => opened.get(targetOf(url).origin) ?? 0

/** Errors of a request whose connection the node closed before answering. */
const CONNECTION_LOST = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

const UNPACK = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** Thrown when an answer exceeds `maxBytes`, packed or unpacked; the rest of it was not read. */
export class AnswerTooLargeError extends Error {
  override name = 'AnswerTooLargeError'

  constructor(maxBytes: number) {
    super(`the answer is larger than ${maxBytes} bytes`)
  }
}

/** Limits of a request. */
interface Limits {
  /** Ends all of it: connecting, waiting for a free socket, reading the answer. */
  signal?: AbortSignal
  /** A limit in milliseconds, cheaper than a signal; the request then fails with a `TimeoutError` like that of a signal. */
  timeoutMs?: number
  /** Most bytes of the answer, packed and unpacked; reading stops beyond it. */
  maxBytes: number
}

/** One POST request and its limits. */
export interface Post extends Limits {
  /** http or https; credentials in it are sent as basic authentication. */
  url: string
  /** JSON. */
  body: string
  /**
   * Sent once more when the connection is lost before any answer, because a persistent one may have been closed just then.
   * Never for requests that must not arrive twice.
   */
  isRepeatable: boolean
  /** Requests a packed answer: less to transfer, more work for both sides. */
  isPacked?: boolean
}

/** The answer with its body unpacked. Header names are in lower case. */
export interface PostAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/**
 * Sends one POST over a persistent connection, for a fraction of the cost of global fetch. Any status but a redirect is an
 * answer.
 * @throws AnswerTooLargeError, the signal's reason, or the error of the connection or the answer.
 */
export const postJson = (post: Post): Promise<PostAnswer> => ask({ ...post, method: 'POST' })

/** Sends one GET likewise. */
export const getText = (
  question: Limits & { url: string; headers?: Record<string, string> },
): Promise<PostAnswer> => ask({ ...question, method: 'GET', body: null, isRepeatable: true })

interface Request extends Omit<Post, 'body'> {
  method: 'GET' | 'POST'
  body: string | null
  headers?: Record<string, string>
}

async function ask(request: Request): Promise<PostAnswer> {
  const { status, headers, bytes } = await send(request, keeping)
  if (status >= 300 && status < 400) throw new Error(`the answer is a redirect (${status})`)
  const encoding = headers['content-encoding']
  const plain = encoding === undefined ? bytes : await unpack(bytes, encoding, request.maxBytes)
  return { status, headers, text: plain.toString() }
}

interface RawAnswer extends Omit<PostAnswer, 'text'> {
  bytes: Buffer
}

function send(request: Request, agent: Agent): Promise<RawAnswer> {
  const { signal, timeoutMs, maxBytes, body, method } = request
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const deadline = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs
    let controller: Dispatcher.DispatchController | undefined
    let ended: Error | undefined
    const end = (reason: Error) => {
      ended = reason
      reject(reason)
      controller?.abort(reason)
    }
    const abort = () => end(signal?.reason as Error)
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => end(new DOMException('no answer in time', 'TimeoutError')), timeoutMs).unref()
    const leave = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    let status = 0
    let headers: PostAnswer['headers'] = {}
    let size = 0
    const chunks: Buffer[] = []
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // It was aborted while it waited for a socket: nothing is sent.
        if (ended) started.abort(ended)
      },
      onResponseStart(_, statusCode, answered) {
        status = statusCode
        headers = answered
      },
      onResponseData(reading, chunk) {
        size += chunk.length
        if (size > maxBytes) reading.abort(new AnswerTooLargeError(maxBytes))
        else chunks.push(chunk)
      },
      onResponseEnd() {
        leave()
        resolve({ status, headers, bytes: Buffer.concat(chunks) })
      },
      onResponseError(_, error) {
        leave()
        const isRepeated = request.isRepeatable && status === 0 && isConnectionLost(error) && !ended
        if (!isRepeated) return reject(error)
        const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, deadline - performance.now()) }
        resolve(send({ ...request, ...left, isRepeatable: false }, renewing))
      },
    }
    signal?.addEventListener('abort', abort, { once: true })
    const { origin, path, authorization } = targetOf(request.url)
    agent.dispatch({ origin, path, headers: headersOf(request, authorization), method, body }, handler)
  })
}

const headersOf = ({ body, isPacked, headers }: Request, authorization: string | null) => ({
  ...(body !== null && { 'content-type': 'application/json' }),
  'accept-encoding': isPacked ? 'gzip' : 'identity',
  // Some gateways refuse requests without a user agent.
  'user-agent': 'node',
  ...(authorization !== null && { authorization }),
  ...headers,
})

/** True if the node closed the connection of a pending request. */
export const isConnectionLost = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && CONNECTION_LOST.has(error.code)

interface Target {
  origin: string
  path: string
  authorization: string | null
}

/** The few URLs of nodes are used all the time, and parsing one costs as much as sending. */
const targets = new Map<string, Target>()
const MOST_TARGETS = 256

function targetOf(url: string): Target {
  const known = targets.get(url)
  if (known) return known
  const { origin, pathname, search, username, password } = new URL(url)
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = credentials === ':' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`
  if (targets.size >= MOST_TARGETS) targets.clear()
  const target = { origin, path: `${pathname}${search}`, authorization }
  targets.set(url, target)
  return target
}

/** Some nodes pack their answers without a request for it. */
async function unpack(bytes: Buffer, encoding: unknown, maxBytes: number): Promise<Buffer> {
  if (encoding === 'identity') return bytes
  const decode = UNPACK.get(String(encoding).toLowerCase())
  if (!decode) throw new Error('the answer is packed in a way that was not asked for')
  try {
    return await decode(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge ? new AnswerTooLargeError(maxBytes) : error
  }
}
