import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { GraphQLError, parse, type ExecutionArgs, type ExecutionResult } from 'graphql'
import { isAsyncIterable } from 'graphql-yoga'
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws'
import { WebSocketServer, type WebSocket } from 'ws'
import { forClient } from '../../relayer/shares/client.ts'
import { describeFailure } from '../errors.ts'
import type { Logger } from '../logging.ts'
import type { HttpRequest } from '../route/route.ts'
import { openDeadline } from '../limits/answer-deadline.ts'
import { carryMessages } from './carry-messages.ts'
import { MOST_BYTES_OF_DOCUMENT, MOST_CONNECTIONS, MOST_OPERATIONS } from './connection-limits.ts'
import type { DeliveredResult } from './event-session.ts'
import { networkOf } from '../limits/create-rate-limiter.ts'
import { extensionsOf } from './failure-extensions.ts'
import type { SessionOptions } from './session-routes.ts'

/** WebSocket close code: the service goes away, and the client should connect again. */
const GOING_AWAY = 1_001
/** graphql-ws runs each document as a subscription: `run` finds out what it is. */
const ANY_DOCUMENT = parse('subscription { any }')

export interface SocketOptions extends SessionOptions {
  /** Runs work as that of a client, within the limits of requests in progress and of unread bytes. */
  asClient<Result>(network: string, work: () => Promise<Result>): Promise<Result>
  addressOf(request: IncomingMessage): string
  /** Whether the page that asks may read what the service answers. */
  mayOpen(request: IncomingMessage): boolean
  /** Counts an operation as a request is counted. */
  observe(request: { operation: string; status: number; seconds: number }): void
  /** Milliseconds until an operation has its answer, or its stream. */
  answerWithinMs: number
  logger: Logger
}

/** Handles a request to upgrade a connection. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

interface SocketState {
  address: string
  network: string
  socket: WebSocket
}

/**
 * GraphQL over WebSocket (graphql-ws) at `/graphql`. A client names its token in `connectionParams.authorization`. Each
 * operation is run as a request is.
 */
export function createSocketDoor(options: SocketOptions): Upgrade {
  const { findOwner, run, asClient, addressOf, mayOpen, observe, unwritten, logger, shutdown } = options
  const { answerWithinMs } = options
  const bounded = <Result>({ deadline }: HttpRequest, work: Promise<Result>): Promise<Result> =>
    deadline.bound('answer', work).finally(deadline.close)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_BYTES_OF_DOCUMENT,
    autoPong: false,
    handleProtocols,
  })
  const owners = new Map<WebSocket, string>()
  shutdown.addEventListener('abort', () => {
    for (const socket of sockets.clients) socket.close(GOING_AWAY)
    setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate()
    }, 1_000).unref()
  })

  async function admit(state: SocketState, params: unknown): Promise<boolean> {
    const { socket, network } = state
    const asked = openRequest(state, { authorization: tokenOf(params), body: '' }, { logger, answerWithinMs })
    const owner = await bounded(
      asked,
      asClient(network, () => findOwner(asked)),
    )
    // A socket that has closed meanwhile reports that no more: it would keep its place for ever.
    if (owner === null || shutdown.aborted || asked.isGone()) return false
    if ([...owners.values()].filter((one) => one === owner).length >= MOST_CONNECTIONS) return false
    owners.set(socket, owner)
    socket.once('close', () => owners.delete(socket))
    return true
  }

  async function operate(args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult> | ExecutionResult> {
    const { params, payload, ...state } = args.contextValue as Operation
    const ending = new AbortController()
    let result: DeliveredResult | undefined
    const sent = { authorization: tokenOf(params), body: JSON.stringify(payload) }
    const asked = openRequest(state, sent, { logger, answerWithinMs })
    const report = reportOf(asked.id)
    try {
      const refusal = await bounded(
        asked,
        asClient(state.network, () => run(asked, ending, (delivered) => (result = delivered))),
      )
      if (refusal === null && result === undefined) throw new Error('a document had no result')
      report(refusal?.status ?? 200)
      if (typeof refusal?.body === 'string') return JSON.parse(refusal.body) as ExecutionResult
    } catch (error) {
      const failure = describeFailure(error, { id: asked.id, logger })
      report(failure.status)
      return { errors: [new GraphQLError(failure.message, { extensions: extensionsOf(failure) })] }
    }
    if (result === undefined) return { errors: [new GraphQLError('The document had no result')] }
    return isAsyncIterable(result) ? endable(result, ending, state.socket) : result
  }

  /** Logs and counts an operation when it is answered; of a subscription, when it was accepted. */
  function reportOf(requestId: string): (status: number) => void {
    const began = performance.now()
    return (status) => {
      const ms = performance.now() - began
      observe({ operation: 'graphql', status, seconds: ms / 1_000 })
      const durationMs = Math.round(ms)
      logger.info({ requestId, operation: 'graphql', status, durationMs, socket: true }, 'request')
    }
  }

  const server = makeServer<Record<string, unknown>, SocketState>({
    onConnect: ({ extra, connectionParams }) => admit(extra, connectionParams),
    onSubscribe({ extra, connectionParams, subscriptions }, _, payload) {
      if (Object.keys(subscriptions).length > MOST_OPERATIONS) {
        extra.socket.close(4_429, 'Too many operations')
        return []
      }
      const contextValue: Operation = { ...extra, params: connectionParams, payload }
      return { document: ANY_DOCUMENT, contextValue } as never
    },
    subscribe: operate as never,
  })

  function serve(socket: WebSocket, request: IncomingMessage): void {
    const address = addressOf(request)
    const network = networkOf(address)
    carryMessages(server, socket, {
      state: { address, network, socket },
      run: (work) => forClient({ network, account: null }, work),
      owe: (bytes, holder) => unwritten.owe(network, bytes, holder),
      onFault(error) {
        const { status } = describeFailure(error, { id: randomUUID(), logger })
        if (status === 503) {
          logger.info({ operation: 'graphql' }, 'a socket ended: its client has not read its share')
          socket.terminate()
        } else if (status === 429) socket.close(4_429, 'Too many requests')
        else socket.close(CloseCode.InternalServerError, 'Internal server error')
      },
    })
  }

  return (request, socket, head) => {
    if (shutdown.aborted) socket.destroy()
    else if (!mayOpen(request))
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    else sockets.handleUpgrade(request, socket, head, (opened) => serve(opened, request))
  }
}

interface Operation extends SocketState {
  params: unknown
  payload: unknown
}

const tokenOf = (params: unknown): string | undefined => {
  const { authorization, Authorization } = (params ?? {}) as Record<string, unknown>
  const given = authorization ?? Authorization
  return typeof given === 'string' ? given : undefined
}

/** Aborted when the client disconnects; one for all operations of a socket. */
const gone = new WeakMap<WebSocket, AbortSignal>()

function signalOf(socket: WebSocket): AbortSignal {
  const known = gone.get(socket)
  if (known) return known
  const ending = new AbortController()
  const end = () => ending.abort(new Error('the client has gone'))
  if (socket.readyState === socket.OPEN) socket.once('close', end)
  else end()
  gone.set(socket, ending.signal)
  return ending.signal
}

/** An operation as the request that it would be by HTTP. */
function openRequest(
  { address, socket }: SocketState,
  { authorization, body }: { authorization: string | undefined; body: string },
  { logger, answerWithinMs }: Pick<SocketOptions, 'logger' | 'answerWithinMs'>,
): HttpRequest {
  const signal = signalOf(socket)
  return {
    id: randomUUID(),
    method: 'POST',
    url: '/graphql',
    params: {},
    query: new URLSearchParams(),
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(authorization !== undefined && { authorization }),
    },
    clientAddress: address,
    signal,
    isGone: () => signal.aborted,
    onGone(listener) {
      signal.addEventListener('abort', listener)
      return { forget: () => signal.removeEventListener('abort', listener) }
    },
    deadline: openDeadline(answerWithinMs),
    logger,
    setHeader: () => {},
    readBody: async () => Buffer.from(body),
  }
}

/**
 * Results that end when the client ends the operation, although the next one may never come. The service closes the
 * socket to cut them, and the client connects again.
 */
function endable(
  results: AsyncIterable<ExecutionResult>,
  ending: AbortController,
  socket: WebSocket,
): AsyncGenerator<ExecutionResult> {
  const iterator = results[Symbol.asyncIterator]()
  const end = async () => {
    ending.abort(new Error('the client has ended the operation'))
    return { done: true as const, value: undefined }
  }
  return {
    next: () =>
      iterator.next().catch(() => {
        socket.close(GOING_AWAY)
        return new Promise<never>(() => {})
      }),
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: async () => void (await end()),
  }
}
