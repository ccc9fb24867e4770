import { GraphQLError, type ExecutionResult, type ValidatedSubscriptionArgs } from 'graphql'
import type { OperationContext } from '../../schema/define/context.ts'
import { buildGraph } from '../../schema/build-graph.ts'
import type { invoke } from '../../schema/define/invoke.ts'
import { isTold } from '../../relayer/concurrency/told-events.ts'
import { isJson } from '../route/read-json.ts'
import type { HttpAnswer, HttpRequest, Route } from '../route/route.ts'
import { HttpError } from '../errors.ts'
import type { Logger } from '../logging.ts'
import { acceptedType } from './accepted-type.ts'
import type { GraphqlConfig } from './graphql-config.ts'
import { graphqlError, maskResult } from './graphql-errors.ts'
import { createDocumentCharges } from './document-charges.ts'
import { createEventStreams, writeEvent, type StreamParts } from './event-streams.ts'
import { createTokenWatch } from './follow-token.ts'
import { createGraphiqlPage, wantsPage } from './graphiql-page.ts'
import { readParameters } from './graph-parameters.ts'
import { keepIntrospections } from './keep-introspections.ts'
import { loadDocuments } from './load-documents.ts'
import { createPersistedDocuments } from './persisted-documents.ts'
import { createDocumentRunner, resultOfEvent, type PreparedDocument } from './run-document.ts'
import { answerResult, describeAnswer, writeResult } from './write-result.ts'
import { shareEncoding } from './share-encoding.ts'

/** Bytes of a request without a valid token: enough for the longest document with its variables. */
const STRANGERS_REQUEST = 96 * 1_024

export interface GraphqlOptions {
  createContext(request: HttpRequest): OperationContext
  /** Whether the request's token is still valid. */
  isTokenGood(request: HttpRequest): Promise<boolean>
  run: typeof invoke
  config: GraphqlConfig
  logger: Logger
  /** Ends every subscription. */
  shutdown: AbortSignal
}

/** `/graphql`: queries and mutations, subscriptions as server-sent events, and the explorer for browsers. */
export function graphqlRoutes(options: GraphqlOptions): Route[] {
  const { introspection, documents, onlyListed, tokenCheckMs } = options.config
  const listed = documents === undefined ? new Map<string, string>() : loadDocuments(documents)
  const introspections = keepIntrospections()
  const charges = createDocumentCharges(options.config, introspections)
  const nameDocument = createPersistedDocuments({ listed, onlyListed })
  const runner = createDocumentRunner({
    schema: buildGraph(options.run),
    introspection,
    charges,
    introspections,
  })
  const streams = createEventStreams()
  const tokens = createTokenWatch(tokenCheckMs)
  const encodings = shareEncoding<ValidatedSubscriptionArgs>()
  /** Of the subscriptions that are under way. */
  const endings = new Set<AbortController>()
  options.shutdown.addEventListener('abort', () => {
    for (const ending of endings) ending.abort(options.shutdown.reason)
  })

  /** A client that sends a large body has to show a valid token first. */
  async function bodyLimit(request: HttpRequest): Promise<number | undefined> {
    const { headers } = request
    const isSmall = Number(headers['content-length']) <= STRANGERS_REQUEST
    if (isSmall || headers.authorization === undefined) return STRANGERS_REQUEST
    return (await options.isTokenGood(request)) ? undefined : STRANGERS_REQUEST
  }

  const mask = (request: HttpRequest, result: ExecutionResult) =>
    maskResult(result, { id: request.id, logger: options.logger })
  const maskError = (request: HttpRequest, error: unknown) => mask(request, { errors: [asGraphError(error)] })

  /** What a request asks for; or what is answered in its place, and whether its network is charged for that. */
  function prepare(request: HttpRequest, body: Buffer | null): PreparedDocument | ExecutionResult {
    try {
      return runner.prepare(request.method, nameDocument(readParameters(request, body)))
    } catch (error) {
      return { errors: [asGraphError(error)] }
    }
  }

  async function answer(request: HttpRequest): Promise<HttpAnswer> {
    const hasBody = request.method === 'POST'
    // Any web page can send a form or plain text without a preflight request.
    if (hasBody && !isJson(request))
      throw new HttpError(415, 'Send the document as Content-Type: application/json')
    const body = hasBody ? await request.readBody(await bodyLimit(request)) : null
    // A request may run several mutations, so each has its key as an argument.
    const context: OperationContext = { ...options.createContext(request), idempotencyKey: null }
    await charges.admit(context)
    const prepared = prepare(request, body)
    if (!('args' in prepared)) {
      await charges.chargeFailure(context)
      return answerWhole(request, prepared)
    }
    if (prepared.isSubscription) return subscribe(request, prepared, context)
    const result = await runner
      .run(prepared, context)
      .catch((error: unknown) => ({ errors: [asGraphError(error)] }))
    return answerWhole(request, result)
  }

  /** A client that takes nothing but streams gets one of one event. */
  function answerWhole(request: HttpRequest, given: ExecutionResult | string): HttpAnswer {
    const type = acceptedType(request.headers.accept, false)
    if (type === null) return NOT_ACCEPTABLE
    const result = typeof given === 'string' ? given : mask(request, given)
    if (type !== 'text/event-stream') return answerResult(result, type)
    const { status, headers } = describeAnswer(typeof result === 'string' ? undefined : result.errors, type)
    const text = typeof result === 'string' ? result : writeResult(result)
    const only = (async function* () {
      yield text
    })()
    const parts = {
      events: only,
      encode: writeEvent as StreamParts['encode'],
      encodeError: () => Buffer.alloc(0),
      ending: new AbortController(),
    }
    return { status, headers: { ...headers, ...STREAM_HEADERS }, body: streams.open(parts) }
  }

  async function subscribe(
    request: HttpRequest,
    prepared: PreparedDocument,
    given: OperationContext,
  ): Promise<HttpAnswer> {
    const ending = new AbortController()
    const end = () => ending.abort(request.signal.reason)
    request.signal.addEventListener('abort', end)
    endings.add(ending)
    ending.signal.addEventListener('abort', () => {
      endings.delete(ending)
      request.signal.removeEventListener('abort', end)
    })
    if (request.signal.aborted) end()
    if (options.shutdown.aborted) ending.abort(options.shutdown.reason)
    const context: OperationContext = {
      ...given,
      signal: ending.signal,
      endWithToken: () => tokens.follow(() => options.isTokenGood(request), ending),
    }
    const subscription = await runner
      .subscribe(prepared, context)
      .catch((error: unknown) => ({ errors: [asGraphError(error)] }))
    const isTaken = acceptedType(request.headers.accept, true) !== null
    // Nothing may keep running for a subscription that failed after it was accepted.
    if (!('events' in subscription) || !isTaken) ending.abort()
    if (!('events' in subscription)) return answerWhole(request, subscription)
    if (!isTaken) return NOT_ACCEPTABLE
    // The answer to HEAD is not read by anybody, and no disconnect would end it.
    if (request.method === 'HEAD') ending.abort()
    return {
      status: 200,
      headers: STREAM_HEADERS,
      body: streams.open(streamOf(request, prepared, subscription, ending)),
    }
  }

  function streamOf(
    request: HttpRequest,
    { args: { document, operationName, variableValues } }: PreparedDocument,
    { events, args }: { events: AsyncIterable<unknown>; args: ValidatedSubscriptionArgs },
    ending: AbortController,
  ): StreamParts {
    const write = (result: ExecutionResult) => writeEvent(writeResult(mask(request, result)))
    const encodeWith = (own: ValidatedSubscriptionArgs) => (event: unknown) => {
      const result = resultOfEvent(own, event)
      return result instanceof Promise ? result.then(write) : write(result)
    }
    // Who asks the same of an event that all are told of reads the same.
    const encode = isTold(events)
      ? encodings.join(document, { operationName, variableValues }, args, encodeWith, ending.signal)
      : encodeWith(args)
    return {
      events,
      encode,
      ending,
      encodeError: (error) => writeEvent(writeResult(maskError(request, error))),
    }
  }

  const explorable = introspection && !onlyListed
  const graphiqlPage = createGraphiqlPage()
  const route = (method: 'GET' | 'POST', handle: Route['handle']): Route => ({
    method,
    path: '/graphql',
    name: 'graphql',
    handle,
    failureBody: (failure) => ({ errors: [graphqlError(failure)] }),
  })
  return [
    route('GET', (request) =>
      explorable && wantsPage(request.headers.accept) ? graphiqlPage(request) : answer(request),
    ),
    route('POST', answer),
  ]
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'content-encoding': 'none',
  connection: 'keep-alive',
}

/** The client takes nothing that this could be sent as. */
const NOT_ACCEPTABLE: HttpAnswer = {
  status: 406,
  headers: { accept: 'application/json, application/graphql-response+json, text/event-stream' },
  body: null,
}

const asGraphError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError(error instanceof Error ? error.message : String(error), {
        originalError: error instanceof Error ? error : new Error(String(error)),
      })
