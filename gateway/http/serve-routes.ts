import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { badRequest } from '../../relayer/errors.ts'
import { forClient, presentClient } from '../../relayer/shares/client.ts'
import { describeFailure, failureBody, HttpError } from '../errors.ts'
import { openDeadline, type AnswerDeadline } from '../limits/answer-deadline.ts'
import { networkOf } from '../limits/create-rate-limiter.ts'
import type { InFlightCap } from '../limits/in-flight-cap.ts'
import type { UnwrittenBytes } from '../limits/unwritten-bytes.ts'
import type { Logger } from '../logging.ts'
import type { RequestTrace, RequestTracing } from '../observation/tracing.ts'
import { jsonAnswer, type HttpAnswer, type HttpRequest, type Route } from '../route/route.ts'
import { clientAddress } from './client-address.ts'
import { compressAnswer } from './compress-answer.ts'
import { allowOrigin, preflightHeaders } from './cross-origin.ts'
import type { HttpConfig } from './http-config.ts'
import { discardBody, type BodyReader } from './read-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The route of this request; null if its path has none for its method. */
    route: Route | null
    /** Null if it is not traced. */
    trace: RequestTrace | null
  }
}

export interface ServeOptions {
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
  tracing: RequestTracing | null
}

/** Bytes per write. Small writes show whether a slow client is still reading. */
const PIECE = 64 * 1_024
/** Answers below this size are not counted while they are written: the kernel accepts them at once. */
const SMALL = 16 * 1_024

/**
 * Serves routes by fastify, which finds the route and writes the answer. Around it stand the limits of this project:
 * all work of a request counts for its client, and so do the bytes that the client has not read.
 */
export async function serveRoutes(
  routes: readonly Route[],
  options: ServeOptions,
): Promise<(incoming: IncomingMessage, response: ServerResponse) => void> {
  const server = new RouteServer(options)
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) server.add(path, ofPath)
  return server.open()
}

class RouteServer {
  readonly #options: ServeOptions
  readonly #app: FastifyInstance

  constructor(options: ServeOptions) {
    this.#options = options
    this.#app = fastify({
      genReqId: () => randomUUID(),
      routerOptions: { ignoreTrailingSlash: true, maxParamLength: options.config.maxHeaderSize },
      frameworkErrors: (_error, request, reply) =>
        this.#refuse(
          badRequest('The path is not percent-encoded properly'),
          request as FastifyRequest,
          reply as FastifyReply,
        ),
    })
    // Handlers read bodies, because the limit of a body depends on the client's token.
    for (const method of this.#app.supportedMethods)
      this.#app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
    this.#app.decorateRequest('route', null)
    this.#app.decorateRequest('trace', null)
    this.#app.setErrorHandler((error, request, reply) => this.#fail(error, request, reply))
    this.#app.setNotFoundHandler((request, reply) =>
      this.#refuse(new HttpError(404, 'No such path; the API reference is at /docs'), request, reply),
    )
  }

  /** Adds the routes of one path. */
  add(path: string, ofPath: readonly Route[]): void {
    this.#app.route({
      method: this.#app.supportedMethods,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: this.#servePath(ofPath),
    })
  }

  /** Ends adding. @returns The server of requests. */
  async open(): Promise<(incoming: IncomingMessage, response: ServerResponse) => void> {
    await this.#app.ready()
    const { trustedProxies } = this.#options.config
    return (incoming, response) => {
      const network = networkOf(clientAddress(incoming, trustedProxies))
      forClient({ network, account: null }, () => this.#app.routing(incoming, response))
    }
  }

  #setHeaders(request: FastifyRequest, { raw }: FastifyReply, ownOrigin: boolean): void {
    this.#options.noteProxy(request.raw)
    raw.setHeader('x-request-id', request.id)
    raw.setHeader('x-content-type-options', 'nosniff')
    raw.setHeader('referrer-policy', 'no-referrer')
    if (ownOrigin) raw.setHeader('cross-origin-resource-policy', 'same-origin')
    else allowOrigin(request.raw, raw, this.#options.config.corsOrigins)
  }

  #refuse(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    this.#setHeaders(request, reply, false)
    this.#fail(error, request, reply)
  }

  #servePath(ofPath: readonly Route[]) {
    const byMethod = new Map<string, Route>(ofPath.map((route) => [route.method, route]))
    const ownOrigin = ofPath.some((route) => route.ownOrigin)
    const methods = [...byMethod.keys(), ...(byMethod.has('GET') ? ['HEAD'] : []), 'OPTIONS']
    const allow = methods.join(', ')

    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      this.#setHeaders(request, reply, ownOrigin)
      const { method } = request
      request.route = byMethod.get(method === 'HEAD' ? 'GET' : method) ?? null
      if (request.route) return this.#send(await this.#answer(request.route, request, reply), request, reply)
      if (method === 'OPTIONS')
        return this.#send({ status: 204, headers: preflightHeaders(methods), body: null }, request, reply)
      throw new HttpError(405, `This path answers to ${allow}`, { headers: { allow } })
    }
  }

  async #answer(route: Route, incoming: FastifyRequest, reply: FastifyReply): Promise<HttpAnswer> {
    const deadline = openDeadline(this.#options.config.answerWithinMs)
    const request = openRequest(incoming, reply, { ...this.#options, deadline })
    const handle = () => this.#handle(route, request)
    incoming.trace = this.#openTrace(route, request)
    try {
      return await deadline.bound('answer', incoming.trace ? incoming.trace.run(handle) : handle())
    } finally {
      deadline.close()
    }
  }

  /** Its place among the running requests lasts as long as the work. */
  async #handle(route: Route, request: HttpRequest): Promise<HttpAnswer> {
    const client = presentClient().network
    const handle = async () => {
      const plain = await route.handle(request)
      return this.#options.config.compress ? compressAnswer(request.headers, plain) : plain
    }
    if (route.background) return handle()
    this.#options.unwritten.admit(client)
    return this.#options.cap.run(client, (stepAside) => {
      // A client that sends its body slowly must not occupy a place that others need.
      const { readBody } = request
      request.readBody = (most) => stepAside(() => readBody(most))
      return handle()
    })
  }

  #openTrace({ name, background }: Route, { id, headers }: HttpRequest): RequestTrace | null {
    const { tracing } = this.#options
    if (!tracing || background) return null
    return tracing.open({ operation: name, requestId: id, traceparent: headers['traceparent'] })
  }

  #fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    try {
      const failure = describeFailure(thrown, { id: request.id, logger: this.#options.logger })
      const body = request.route?.failureBody?.(failure) ?? failureBody(failure)
      this.#send(jsonAnswer(failure.status, body, { ...failure.headers }), request, reply)
    } catch (error) {
      this.#options.logger.error({ err: error, requestId: request.id }, 'a request could not be answered')
      reply.raw.destroy()
    }
  }

  /** @throws ServiceError 503 SERVER_BUSY if the client has too much unread. */
  #send(answered: HttpAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, body, isShared } = answered
    const { raw } = reply
    const isWhole = body === null || typeof body === 'string' || Buffer.isBuffer(body)
    const isHeadOnly = request.method === 'HEAD' || raw.destroyed
    const isCounted = isWhole && body !== null && body.length > SMALL && !isShared && !isHeadOnly
    const debt = isCounted ? this.#options.unwritten.owe(presentClient().network, body.length, raw) : null
    if (debt) raw.once('close', debt.close)
    else if (!isWhole && !isHeadOnly) this.#options.unwritten.follow(presentClient().network, raw)
    this.#report(status, request, reply)
    reply.code(status).header('cache-control', 'no-store')
    if (answered.headers) reply.headers(answered.headers)
    if (isWhole && body !== null) reply.header('content-length', Buffer.byteLength(body))
    if (isWhole && (isHeadOnly || body === null || body.length <= PIECE))
      // Without a serializer fastify adds a charset, which JSON does not have.
      return reply.serializer(asItIs).send(body ?? undefined)
    if (isHeadOnly) return reply.send()
    const pieces = isWhole
      ? cut(Buffer.isBuffer(body) ? body : Buffer.from(body), (bytes) => debt?.pay(bytes))
      : body
    return reply.send(Readable.from(this.#notingFaults(pieces, request, reply)))
  }

  async *#notingFaults(
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    request: FastifyRequest,
    { raw }: FastifyReply,
  ): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces
    } catch (error) {
      // A shutdown ends streams on purpose.
      if (!isCutShort(raw) && !this.#options.shutdown.aborted)
        this.#options.logger.warn(
          { err: error, requestId: request.id, operation: nameOf(request) },
          'answer cut short',
        )
      raw.destroy()
    }
  }

  /** Observes an answer now, and logs it when the connection has all of it or has ended. */
  #report(status: number, request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = reply
    const operation = nameOf(request)
    this.#options.observe({ operation, status, seconds: reply.elapsedTime / 1_000 })
    request.trace?.end(status)
    const log = () => {
      if (!request.raw.complete) discardBody(request.raw, this.#options.config.drainLimit)
      const level = request.route?.background && status < 500 ? 'debug' : 'info'
      const durationMs = Math.round(reply.elapsedTime)
      this.#options.logger[level](
        { requestId: request.id, operation, status, durationMs, gone: isCutShort(raw) },
        'request',
      )
    }
    if (raw.closed) log()
    else raw.once('close', log)
  }
}

const asItIs = (body: string) => body
const nameOf = ({ route }: FastifyRequest): string => route?.name ?? 'none'

/** Whether a connection has ended before its answer. */
const isCutShort = (response: ServerResponse) => response.closed && !response.writableFinished

function openRequest(
  incoming: FastifyRequest,
  { raw: response }: FastifyReply,
  { config, logger, readBody, deadline }: ServeOptions & { deadline: AnswerDeadline },
): HttpRequest {
  const { id, method, url } = incoming
  let gone: AbortController | undefined
  const openSignal = () => {
    const opened = new AbortController()
    const abort = () => opened.abort(new Error('the client has gone'))
    deadline.on('near', (late) => opened.abort(late))
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
  const at = url.indexOf('?')
  return {
    id,
    method,
    url,
    params: incoming.params as Record<string, string>,
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
    headers: incoming.raw.headers,
    clientAddress: clientAddress(incoming.raw, config.trustedProxies),
    get signal() {
      return (gone ??= openSignal()).signal
    },
    isGone: () => isCutShort(response),
    onGone,
    deadline,
    logger,
    setHeader: (name, value) => {
      if (!response.headersSent) response.setHeader(name, value)
    },
    readBody: (most) => deadline.besides(() => readBody(incoming.raw, most)),
  }
}

/** Cuts a body into pieces. A piece counts as read when the connection wants the next one. */
function* cut(body: Buffer, pay: (bytes: number) => void): Generator<Buffer> {
  for (let start = 0; start < body.length; start += PIECE) {
    const piece = body.subarray(start, start + PIECE)
    yield piece
    pay(piece.length)
  }
}
