import { randomUUID } from 'node:crypto'
import { unauthorized } from '../../relayer/errors.ts'
import { presentClient } from '../../relayer/shares/client.ts'
import { HttpError } from '../errors.ts'
import type { UnwrittenBytes } from '../limits/unwritten-bytes.ts'
import { textAnswer, type HttpAnswer, type HttpRequest, type Route } from '../route/route.ts'
import { MOST_CONNECTIONS, MOST_OPERATIONS } from './connection-limits.ts'
import { EventSession, type DeliveredResult } from './event-session.ts'

/** A session that no stream was opened for ends after this many milliseconds. */
const RESERVED_MS = 10_000

const PATH = '/graphql/stream'
const TOKEN_HEADER = 'x-graphql-event-stream-token'

export interface SessionOptions {
  /** Identifies the holder of the request's token; null without a valid one. */
  findOwner(request: HttpRequest): Promise<string | null>
  /**
   * Runs the request's document with the limits of any other.
   * @param deliver Receives the result once it was accepted.
   * @returns Null if it was delivered, else the refusal.
   */
  run(
    request: HttpRequest,
    ending: AbortController,
    deliver: (result: DeliveredResult) => void,
  ): Promise<HttpAnswer | null>
  unwritten: Pick<UnwrittenBytes, 'owe'>
  /** Ends every stream. */
  shutdown: AbortSignal
}

/** The path at which a client may run many operations over one connection: graphql-sse, single connection mode. */
export function sessionRoutes(
  { findOwner, run, unwritten, shutdown }: SessionOptions,
  reservedMs = RESERVED_MS,
): Route[] {
  const sessions = new Map<string, { session: EventSession; owner: string }>()
  shutdown.addEventListener('abort', () => {
    for (const { session } of sessions.values()) session.close()
  })

  async function reserve(request: HttpRequest): Promise<HttpAnswer> {
    const holder = await findOwner(request)
    if (holder === null) throw unauthorized()
    const owned = [...sessions.values()].filter(({ owner }) => owner === holder).length
    if (owned >= MOST_CONNECTIONS)
      throw new HttpError(429, `An account has at most ${MOST_CONNECTIONS} streams at once`)
    const token = randomUUID()
    const session: EventSession = new EventSession((bytes) =>
      unwritten.owe(presentClient().network, bytes, { destroy: () => session.close() }),
    )
    sessions.set(token, { session, owner: holder })
    setTimeout(() => {
      if (!session.isOpen) end(token, session)
    }, reservedMs).unref()
    return textAnswer(201, token)
  }

  function end(token: string, session: EventSession): void {
    sessions.delete(token)
    session.close()
  }

  function find({ headers, query }: HttpRequest): { token: string; session: EventSession } {
    const token = String(headers[TOKEN_HEADER] ?? query.get('token') ?? '')
    const found = sessions.get(token)
    if (!found) throw new HttpError(404, 'No such stream: reserve one by PUT')
    return { token, session: found.session }
  }

  async function open(request: HttpRequest): Promise<HttpAnswer> {
    const { token, session } = find(request)
    if (session.isOpen) throw new HttpError(409, 'The stream is open already')
    const headers = { 'content-type': 'text/event-stream' }
    // Nothing would read the stream of an answer to HEAD, nor end it.
    if (request.method === 'HEAD') return { status: 200, headers, body: null }
    session.isOpen = true
    const close = () => end(token, session)
    request.onGone(close)
    if (request.isGone()) close()
    return { status: 200, headers, body: session.open() }
  }

  async function operate(request: HttpRequest): Promise<HttpAnswer> {
    const { session } = find(request)
    const id = await readOperationId(request)
    if (session.operations >= MOST_OPERATIONS)
      throw new HttpError(429, `A stream carries at most ${MOST_OPERATIONS} operations at once`)
    const ending = new AbortController()
    if (!session.begin(id, ending)) throw new HttpError(409, 'An operation with this id is running')
    let isDelivered = false
    try {
      const refusal = await run(request, ending, (result) => {
        isDelivered = true
        void session.deliver(id, result)
      })
      return refusal ?? { status: 202, body: null }
    } finally {
      if (!isDelivered) session.forget(id)
    }
  }

  async function cancel(request: HttpRequest): Promise<HttpAnswer> {
    const { session } = find(request)
    session.cancel(request.query.get('operationId') ?? '')
    return { status: 200, body: null }
  }

  const route = (method: Route['method'], handle: Route['handle']): Route => ({
    method,
    path: PATH,
    name: 'graphql',
    handle,
  })
  return [route('PUT', reserve), route('GET', open), route('POST', operate), route('DELETE', cancel)]
}

/** @throws HttpError 400 without `extensions.operationId`. */
async function readOperationId(request: HttpRequest): Promise<string> {
  const body = await request.readBody()
  request.readBody = async () => body
  const id = operationIdOf(body)
  if (id === null) throw new HttpError(400, 'extensions.operationId: expected 1 to 128 characters')
  return id
}

function operationIdOf(body: Buffer): string | null {
  try {
    const { extensions } = JSON.parse(body.toString()) as { extensions?: { operationId?: unknown } }
    const id = extensions?.operationId
    return typeof id === 'string' && id.length >= 1 && id.length <= 128 ? id : null
  } catch {
    return null
  }
}
