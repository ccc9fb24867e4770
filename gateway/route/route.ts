import type { IncomingHttpHeaders } from 'node:http'
import type { Failure } from '../errors.ts'
import type { AnswerDeadline } from '../limits/answer-deadline.ts'
import type { Logger } from '../logging.ts'

/** A request as handlers see it. */
export interface HttpRequest {
  /** Sent to the client as X-Request-Id and written to the log. */
  id: string
  method: string
  /** Path and query as requested. */
  url: string
  /** Path parameters by name, percent-decoded. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  clientAddress: string
  /**
   * Aborted when the client disconnects before its answer, and shortly before the deadline; created at the first use.
   */
  readonly signal: AbortSignal
  /** Whether the client has disconnected before the end of its answer. */
  isGone(): boolean
  /** Calls the listener when the client disconnects before the end of its answer, unless `forget` is called. */
  onGone(listener: () => void): { forget(): void }
  /** Bounds the time until the answer. */
  deadline: AnswerDeadline
  logger: Logger
  /** Sets a header of the answer, whether success or failure; without effect once the answer is being sent. */
  setHeader(name: string, value: string): void
  /**
   * @param most Bytes that it may have; never more than the configuration's limit.
   * @throws HttpError 413 above that.
   */
  readBody(most?: number): Promise<Buffer>
}

export interface HttpAnswer {
  status: number
  /** The body is stored once for all clients: it takes no memory for this one. */
  isShared?: true
  headers?: Readonly<Record<string, string>>
  /** An iterable holds nothing before it is read: an answer to HEAD, or for a client that has gone, is never read. */
  body: string | Buffer | AsyncIterable<Uint8Array> | null
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with parameters in braces. */
  path: string
  /** Name in logs and metrics. */
  name: string
  /** Pages, assets and probes: they do not count as running requests and are logged at debug level. */
  background?: boolean
  /** Pages of no other origin may read it, whatever `corsOrigins` allows. */
  ownOrigin?: boolean
  handle(request: HttpRequest): Promise<HttpAnswer>
  /** Formats a failure of this route; by default as the error body of the API. */
  failureBody?(failure: Failure): unknown
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): HttpAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

export function textAnswer(status: number, body: string): HttpAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
}
