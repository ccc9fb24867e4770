import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describeFailure, failureBody } from '../errors.ts'
import type { InFlightCap } from '../limits/in-flight-cap.ts'
import { networkOf } from '../limits/network-of.ts'
import type { Logger } from '../logging.ts'
import { clientAddress } from './client-address.ts'
import { allowOrigin, preflightHeaders } from './cross-origin.ts'
import type { HttpConfig } from './http-config.ts'
import { discardBody, type BodyReader } from './read-body.ts'
import { jsonAnswer, type HttpAnswer, type HttpRequest, type Route } from '../route/route.ts'
import type { Router } from './router.ts'
import { writeAnswer } from './write-answer.ts'

export interface ServeOptions {
  router: Router
  config: HttpConfig
  logger: Logger
  cap: InFlightCap
  readBody: BodyReader
  /** Inspects the headers that a proxy in front has added. */
  noteProxy(request: IncomingMessage): void
  observe(request: { operation: string; status: number; seconds: number }): void
}

/** Answers one request, whatever fails. */
export async function serveRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  options: ServeOptions,
): Promise<void> {
  const startedAt = performance.now()
  const { config, logger } = options
  options.noteProxy(incoming)
  const request = openRequest(incoming, response, options)
  response.setHeader('x-request-id', request.id)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('referrer-policy', 'no-referrer')
  allowOrigin(incoming, response, config.corsOrigins)

  const { route, answer } = await answerRequest(request, options)
  const operation = route?.name ?? 'none'
  const { status } = answer
  options.observe({ operation, status, seconds: (performance.now() - startedAt) / 1_000 })
  try {
    await writeAnswer(response, answer, { withBody: incoming.method !== 'HEAD', signal: request.signal })
  } catch (error) {
    if (!request.signal.aborted)
      logger.warn({ err: error, requestId: request.id, operation }, 'answer cut short')
    response.destroy()
  }
  if (!incoming.complete) discardBody(incoming, config.drainLimit)

  const level = route?.background && status < 500 ? 'debug' : 'info'
  const durationMs = Math.round(performance.now() - startedAt)
  logger[level](
    { requestId: request.id, operation, status, durationMs, gone: request.signal.aborted },
    'request',
  )
}

function openRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { config, logger, readBody }: ServeOptions,
): HttpRequest & { path: string } {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the client has gone'))
  })
  const url = incoming.url ?? '/'
  const at = url.indexOf('?')
  return {
    id: randomUUID(),
    method: incoming.method ?? 'GET',
    url,
    path: at < 0 ? url : url.slice(0, at),
    params: {},
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    headers: incoming.headers,
    clientAddress: clientAddress(incoming, config.trustedProxies),
    signal: gone.signal,
    logger,
    setHeader: (name, value) => {
      if (!response.headersSent) response.setHeader(name, value)
    },
    readBody: (most) => readBody(incoming, most),
  }
}

async function answerRequest(
  request: HttpRequest & { path: string },
  { router, cap, logger }: ServeOptions,
): Promise<{ route: Route | undefined; answer: HttpAnswer }> {
  let route: Route | undefined
  try {
    if (request.method === 'OPTIONS') {
      const methods = router.methodsOf(request.path)
      if (methods.length > 0)
        return { route, answer: { status: 204, headers: preflightHeaders(methods), body: null } }
    }
    const found = router.match(request.method, request.path)
    route = found.route
    const asked = { ...request, params: found.params }
    const answer = await (found.route.background
      ? found.route.handle(asked)
      : cap.run(networkOf(request.clientAddress), (stepAside) =>
          // A client that sends its body slowly must not occupy a place that others need.
          found.route.handle({ ...asked, readBody: (most) => stepAside(() => request.readBody(most)) }),
        ))
    return { route, answer }
  } catch (thrown) {
    const failure = describeFailure(thrown, { id: request.id, logger })
    const body = route?.failureBody?.(failure) ?? failureBody(failure)
    return { route, answer: jsonAnswer(failure.status, body, { ...failure.headers }) }
  }
}
