import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
// Not the package's own door, which puts its agent below global fetch too and takes twice the memory in each thread.
import Agent from 'undici/lib/dispatcher/agent.js'

/** What one thread asks of a node beyond this waits, so that a node that hangs holds no more sockets. */
const SOCKETS_PER_NODE = 64

/** HTTP/1.1 without redirects. Only the caller's signal limits the time. */
const openAgent = (pipelining: 0 | 1) =>
  new Agent({ connections: SOCKETS_PER_NODE, pipelining, allowH2: false, headersTimeout: 0, bodyTimeout: 0 })

/** One request at a time on each kept connection. */
const keeping = openAgent(1)

/** A connection for each request, for those that a kept one has failed: the others may be as dead. */
const renewing = openAgent(0)

/** How a request ends whose connection the node closed while it was on its way. */
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

/** One POST request and its limits. */
export interface Post {
  /** http or https; credentials in it are sent as basic authentication. */
  url: string
  /** JSON. */
  body: string
  /** Ends the whole of it: connecting, waiting for a free socket, reading the answer. */
  signal: AbortSignal
  /** Bytes of the answer at most, packed and unpacked; of a larger one no more is read. */
  maxBytes: number
  /** Sent once more when the connection is lost before any answer: a kept one may have been closed just then. Never what must not arrive twice. */
  isRepeatable: boolean
  /** Asks for a packed answer: less to carry, more to do for both sides. */
  isPacked?: boolean
}

/** The answer with its body unpacked. Header names are in lower case. */
export interface PostAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/**
 * One POST over a kept-alive connection, for a fraction of what global fetch costs. Any status but a redirect is an answer.
 * @throws AnswerTooLargeError, the signal's reason, or what is wrong with the connection or the answer.
 */
export async function postJson(post: Post): Promise<PostAnswer> {
  const { status, headers, bytes } = await send(post, keeping)
  if (status >= 300 && status < 400) throw new Error(`the node answers with a redirect (${status})`)
  return {
    status,
    headers,
    text: (await unpack(bytes, headers['content-encoding'], post.maxBytes)).toString(),
  }
}

interface RawAnswer extends Omit<PostAnswer, 'text'> {
  bytes: Buffer
}

function send(post: Post, agent: Agent): Promise<RawAnswer> {
  const { signal, maxBytes, body } = post
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let controller: Dispatcher.DispatchController | undefined
    const abort = () => {
      reject(signal.reason as Error)
      controller?.abort(signal.reason as Error)
    }
    let status = 0
    let headers: PostAnswer['headers'] = {}
    let size = 0
    const chunks: Buffer[] = []
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // It was aborted while it waited for a socket: nothing is sent.
        if (signal.aborted) started.abort(signal.reason as Error)
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
        signal.removeEventListener('abort', abort)
        resolve({ status, headers, bytes: Buffer.concat(chunks) })
      },
      onResponseError(_, error) {
        signal.removeEventListener('abort', abort)
        const isRepeated = post.isRepeatable && status === 0 && isConnectionLost(error) && !signal.aborted
        if (isRepeated) resolve(send({ ...post, isRepeatable: false }, renewing))
        else reject(error)
      },
    }
    signal.addEventListener('abort', abort, { once: true })
    agent.dispatch({ ...readTarget(post), method: 'POST', body }, handler)
  })
}

const isConnectionLost = (error: Error) =>
  'code' in error && typeof error.code === 'string' && CONNECTION_LOST.has(error.code)

function readTarget({ url, isPacked = false }: Post) {
  const { origin, pathname, search, username, password } = new URL(url)
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    origin,
    path: `${pathname}${search}`,
    headers: {
      'content-type': 'application/json',
      'accept-encoding': isPacked ? 'gzip' : 'identity',
      // Some gateways refuse requests without a user agent.
      'user-agent': 'node',
      ...(credentials !== ':' && {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      }),
    },
  }
}

/** Some nodes pack their answers unasked. */
async function unpack(bytes: Buffer, encoding: unknown = 'identity', maxBytes: number): Promise<Buffer> {
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
