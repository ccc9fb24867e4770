import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { forClient, presentClient } from '../../relayer/shares/client.ts'
import { describeFailure, failureBody } from '../errors.ts'
import type { InFlightCap } from '../limits/in-flight-cap.ts'
import { networkOf } from '../limits/create-rate-limiter.ts'
import type { Logger } from '../logging.ts'
import { clientAddress } from './client-address.ts'
import { compressAnswer } from './compress-answer.ts'
import { allowOrigin, preflightHeaders } from './cross-origin.ts'
import type { HttpConfig } from './http-config.ts'
import { discardBody, type BodyReader } from './read-body.ts'
import { jsonAnswer, type HttpAnswer, type HttpRequest, type Route } from '../route/route.ts'
import type { Router } from './router.ts'
import { writeAnswer } from './write-answer.ts'
import type { Debt, UnwrittenBytes } from '../limits/unwritten-bytes.ts'

export interface ServeOptions {
  router: Router
  config: HttpConfig
  logger: Logger
  cap: InFlightCap
  readBody: BodyReader
  unwritten: UnwrittenBytes
  /** Aborted when the service ends. */
  shutdown: AbortSignal
  /** Inspects the headers that a proxy in front has added. */
  noteProxy(request: IncomingMessage): void
  observe(request: { operation: string; status: number; seconds: number }): void
}

/** Answers one request, even if anything fails. All its work counts for its client. */
export function serveRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  options: ServeOptions,
): Promise<void> {
  const network = networkOf(clientAddress(incoming, options.config.trustedProxies))
  return forClient({ network, account: null }, async () => {
    const id = randomUUID()
    try {
      await serve(incoming, response, { ...options, id })
    } catch (error) {
      options.logger.error({ err: error, requestId: id }, 'a request could not be answered')
      response.destroy()
    }
  })
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  options: ServeOptions & { id: string },
): Promise<void> {
  const startedAt = performance.now()
  const { config, logger } = options
  options.noteProxy(incoming)
  const request = openRequest(incoming, response, options)
  response.setHeader('x-request-id', request.id)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('referrer-policy', 'no-referrer')
  if (options.router.isOwnOrigin(request.path))
    response.setHeader('cross-origin-resource-policy', 'same-origin')
  else allowOrigin(incoming, response, config.corsOrigins)

  const { route, answer, debt } = await answerRequest(request, response, options)
  const operation = route?.name ?? 'none'
  const { status } = answer
  options.observe({ operation, status, seconds: (performance.now() - startedAt) / 1_000 })
  try {
    await writeAnswer(response, answer, {
      withBody: incoming.method !== 'HEAD',
      debt,
      signal: () => request.signal,
    })
  } catch (error) {
    // A shutdown ends streams on purpose.
    if (!request.isGone() && !options.shutdown.aborted)
      logger.warn({ err: error, requestId: request.id, operation }, 'answer cut short')
    response.destroy()
  }
  if (!incoming.complete) discardBody(incoming, config.drainLimit)
  const level = route?.background && status < 500 ? 'debug' : 'info'
  const durationMs = Math.round(performance.now() - startedAt)
  const gone = isCutShort(response)
  logger[level]({ requestId: request.id, operation, status, durationMs, gone }, 'request')
}

/** Whether a connection has ended before its answer. */
const isCutShort = (response: ServerResponse) => response.closed && !response.writableFinished

function openRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { config, logger, readBody, id }: ServeOptions & { id: string },
): HttpRequest & { path: string } {
  let gone: AbortController | undefined
  const openSignal = () => {
    const opened = new AbortController()
    const abort = () => opened.abort(new Error('the client has gone'))
    if (isCutShort(response)) abort()
    else onGone(abort)
    return opened
  }
  const onGone = (listener: () => void) => {
    const onClose = () => {
      if (!response.writableFinished) listener()
    }
    response.on('close', onClose)
    return { forget: () => void response.off('close', onClose) }
  }
  const url = incoming.url ?? '/'
  const at = url.indexOf('?')
  return {
    id,
    method: incoming.method ?? 'GET',
    url,
    path: at < 0 ? url : url.slice(0, at),
    params: {},
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    headers: incoming.headers,
    clientAddress: clientAddress(incoming, config.trustedProxies),
    get signal() {
      return (gone ??= openSignal()).signal
    },
    isGone: () => isCutShort(response),
    onGone,
    logger,
    setHeader: (name, value) => {
      if (!response.headersSent) response.setHeader(name, value)
    },
    readBody: (most) => readBody(incoming, most),
  }
}

async function answerRequest(
  request: HttpRequest & { path: string },
  response: ServerResponse,
  { router, cap, logger, unwritten, config }: ServeOptions,
): Promise<{ route: Route | undefined; answer: HttpAnswer; debt: Debt | null }> {
  const client = presentClient().network
  let route: Route | undefined
  try {
    if (request.method === 'OPTIONS') {
      const methods = router.methodsOf(request.path)
      if (methods.length > 0)
        return { route, answer: { status: 204, headers: preflightHeaders(methods), body: null }, debt: null }
    }
    const found = router.match(request.method, request.path)
    route = found.route
    request.params = found.params
    if (!found.route.background) unwritten.admit(client)
    const handle = async () => {
      const plain = await found.route.handle(request)
      return config.compress ? compressAnswer(request.headers, plain) : plain
    }
    const answer = await (found.route.background
      ? handle()
      : cap.run(client, (stepAside) => {
          // A client that sends its body slowly must not occupy a place that others need.
          const { readBody } = request
          request.readBody = (most) => stepAside(() => readBody(most))
          return handle()
        }))
    return {
      route,
      answer,
      debt: request.method === 'HEAD' ? null : owe(answer, client, response, unwritten),
    }
  } catch (thrown) {
    const failure = describeFailure(thrown, { id: request.id, logger })
    const body = route?.failureBody?.(failure) ?? failureBody(failure)
    return { route, answer: jsonAnswer(failure.status, body, { ...failure.headers }), debt: null }
  }
}

/** Answers below this size are not counted while they are written: the kernel accepts them at once. */
const SMALL = 16 * 1_024

/** Counts an answer that its client has yet to read. @throws ServiceError 503 SERVER_BUSY if the client has too much unread. */
function owe(
  { body, isShared }: HttpAnswer,
  client: string,
  response: ServerResponse,
  unwritten: UnwrittenBytes,
): Debt | null {
  if (body === null || isShared || response.destroyed || response.closed) return null
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) {
    unwritten.follow(client, response)
    return null
  }
  if (body.length <= SMALL) return null
  const debt = unwritten.owe(client, body.length, response)
  response.once('close', debt.close)
  return debt
}
