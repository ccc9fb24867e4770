import { createYoga, type Plugin } from 'graphql-yoga'
import { buildGraph } from '../../schema/build-graph.ts'
import type { OperationContext } from '../../schema/define/context.ts'
import type { invoke } from '../../schema/define/invoke.ts'
import { unauthorized } from '../../relayer/errors.ts'
import { SharedPlaces } from '../../relayer/shares/shared-places.ts'
import { chargeDocuments, type ChargedContext } from '../documents/document-charges.ts'
import { createDocumentRoom } from '../documents/document-room.ts'
import { guardDocuments } from '../documents/guard-documents.ts'
import { keepIntrospections } from '../documents/keep-introspections.ts'
import { writeInSlices } from '../documents/write-in-slices.ts'
import { HttpError } from '../errors.ts'
import type { Logger } from '../logging.ts'
import { isJson } from '../route/read-json.ts'
import type { HttpAnswer, HttpRequest, Route } from '../route/route.ts'
import { shareAnswer } from '../route/share-answer.ts'
import { MOST_BYTES_OF_DOCUMENT } from './connection-limits.ts'
import { executeAfresh } from './execute-afresh.ts'
import { createGraphiqlPage, wantsPage } from './graphiql-page.ts'
import type { GraphqlConfig } from './graphql-config.ts'
import type { DeliveredResult } from './event-session.ts'
import { followDocuments, NO_DOCUMENTS } from './listed-documents.ts'
import { maskErrors } from './mask-errors.ts'
import { persistedDocuments } from './persisted-documents.ts'
import { sessionRoutes, type SessionOptions } from './session-routes.ts'
import { COMPLETE, GONE } from './stream-ends.ts'
import { writeEventIds } from './write-event-ids.ts'

/** How many parsed documents are cached: clients send the same few repeatedly. */
const KEPT_DOCUMENTS = 200
/** Characters of all cached documents together: a parsed document takes about 200 bytes per character. */
const KEPT_CHARACTERS = 100_000

/** A cache by document text. Short texts count as of average length, which bounds the number of documents. */
const keepDocuments = <Value>() =>
  new SharedPlaces<string, Value>(KEPT_CHARACTERS, (_, text) =>
    Math.max(text.length, KEPT_CHARACTERS / KEPT_DOCUMENTS),
  )

interface ServerContext extends ChargedContext {
  /** Seconds for which caches may give the answer to everybody: the least of its operations. */
  sharing: { seconds: number }
  requestId: string
  deadline: HttpRequest['deadline']
  /** Aborted when the answer is complete, or to end it; it ends the events of a subscription. */
  ending: AbortController
  /** Receives the result in place of the answer, if another connection carries it. */
  deliver?: (result: DeliveredResult) => void
}

/** The routes of GraphQL, and a way to run a document whose results another connection carries. */
export interface LoadedGraphql {
  routes: Route[]
  run: SessionOptions['run']
}

export interface GraphqlOptions extends Omit<SessionOptions, 'run'> {
  /** @param signal Ends work that is still running. */
  createContext(request: HttpRequest, signal: AbortSignal): OperationContext
  /** Whether the request's token is still valid. */
  isTokenGood(request: HttpRequest): Promise<boolean>
  run: typeof invoke
  config: GraphqlConfig
  logger: Logger
  /** Further Yoga or Envelop plugins. They run after the limits, and before errors are masked. */
  plugins?: readonly Plugin[]
}

/**
 * `/graphql`: queries and mutations, subscriptions as server-sent events, and the explorer for browsers. Yoga serves
 * it by its own request path. The gateway reads the body and writes the answer, as for REST, because clients share
 * both.
 */
export function graphqlRoutes(options: GraphqlOptions): LoadedGraphql {
  const { config, findOwner, isTokenGood, unwritten, shutdown } = options
  const yoga = createServer(options)
  const openContext = createContexts(options)
  const graphiqlPage = createGraphiqlPage()

  async function answer(request: HttpRequest): Promise<HttpAnswer> {
    const hasBody = request.method === 'POST'
    if (hasBody) demandJson(request)
    const body = hasBody ? await request.readBody(await findBodyLimit(request, isTokenGood)) : null
    const context = openContext(request)
    try {
      const response = await yoga.fetch(toRequest(yoga, request, body), context)
      const isRead = isStream(response) && request.method !== 'HEAD'
      // Otherwise no disconnect would end its events.
      if (!isRead) context.ending.abort(COMPLETE)
      const answered = await toAnswer(response)
      const { seconds } = context.sharing
      const isShared = !hasBody && seconds > 0 && Number.isFinite(seconds)
      return isShared ? shareAnswer(request, answered, seconds) : answered
    } catch (error) {
      context.ending.abort(COMPLETE)
      throw error
    }
  }

  /** Runs a document whose results another connection carries. */
  async function runApart(
    request: HttpRequest,
    ending: AbortController,
    deliver: (result: DeliveredResult) => void,
  ): Promise<HttpAnswer | null> {
    demandJson(request)
    const body = await request.readBody()
    let isDelivered = false
    const context = openContext(request, ending)
    const response = await yoga.fetch(
      toRequest(yoga, { method: 'POST', headers: request.headers, url: '/graphql' }, body),
      {
        ...context,
        deliver(result) {
          isDelivered = true
          deliver(result)
        },
      },
    )
    if (isDelivered) return null
    ending.abort(COMPLETE)
    return toAnswer(response)
  }

  const isExplorable = config.introspection && !config.onlyListed
  const route = (method: 'GET' | 'POST', handle: Route['handle']): Route => ({
    method,
    path: '/graphql',
    name: 'graphql',
    handle,
  })
  const routes = [
    route('GET', (request) =>
      isExplorable && wantsPage(request.headers.accept) ? graphiqlPage(request) : answer(request),
    ),
    route('POST', answer),
    ...sessionRoutes({ findOwner, run: runApart, unwritten, shutdown }),
  ]
  return { routes, run: runApart }
}

/** @throws HttpError 415: any web page can send a form or plain text without a preflight request. */
function demandJson(request: HttpRequest): void {
  if (!isJson(request)) throw new HttpError(415, 'Send the document as Content-Type: application/json')
}

/** Gives results to the connection that carries them. */
const deliverResults: Plugin<object, ServerContext> = {
  onResultProcess({ setResultProcessor, serverContext: { deliver } }) {
    if (!deliver) return
    setResultProcessor((result, fetchApi) => {
      deliver(result as DeliveredResult)
      return new fetchApi.Response(null, { status: 202 })
    }, 'text/event-stream')
  },
}

/** Notes for how long caches may give an answer to everybody: as long as each of its operations allows. */
const noteSharing =
  (run: typeof invoke): typeof invoke =>
  (operation, input, context) => {
    const { sharing } = context as ServerContext
    sharing.seconds = Math.min(sharing.seconds, operation.sharedSeconds ?? 0)
    return run(operation, input, context)
  }

/** An operation that is late fails alone: the other fields of the document keep their answers. */
const boundEach =
  (run: typeof invoke): typeof invoke =>
  (operation, input, context) =>
    (context as ServerContext).deadline.bound('operation', run(operation, input, context))

/** No cache may store a failure, nor what a client has left of its limits. */
const shareNoFailures: Plugin<object, ServerContext> = {
  onResultProcess({ result, serverContext: { sharing, documentCharge } }) {
    if ('errors' in result || documentCharge.isAsked) sharing.seconds = 0
  },
}

/** A client must show a valid token before it may send a large body. */
async function findBodyLimit(
  request: HttpRequest,
  isTokenGood: GraphqlOptions['isTokenGood'],
): Promise<number | undefined> {
  const { headers } = request
  const isSmall = Number(headers['content-length']) <= MOST_BYTES_OF_DOCUMENT
  if (isSmall || headers.authorization === undefined) return MOST_BYTES_OF_DOCUMENT
  return (await isTokenGood(request)) ? undefined : MOST_BYTES_OF_DOCUMENT
}

function createServer({ config, logger, run, plugins = [] }: GraphqlOptions) {
  const { introspection, documents, onlyListed } = config
  const listed = documents === undefined ? NO_DOCUMENTS : followDocuments(documents, logger)
  const introspections = keepIntrospections()
  return createYoga<ServerContext>({
    schema: buildGraph(noteSharing(boundEach(run))),
    plugins: [
      chargeDocuments(config, introspections),
      persistedDocuments({ listed, onlyListed }),
      guardDocuments({ introspection }),
      ...plugins,
      introspections.plugin,
      writeInSlices,
      executeAfresh,
      maskErrors(logger),
      writeEventIds,
      shareNoFailures,
      deliverResults,
    ],
    parserAndValidationCache: {
      documentCache: keepDocuments(),
      errorCache: keepDocuments(),
    },
    // This gateway does these things itself, in the same way for REST.
    maxRequestBodySize: false,
    maskedErrors: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    logging: false,
  })
}

/** Creates a function that opens the context of a request, which ends with its answer. */
function createContexts({ shutdown, createContext, isTokenGood, config }: GraphqlOptions) {
  const endings = new Set<AbortController>()
  shutdown.addEventListener('abort', () => {
    for (const ending of endings) ending.abort(shutdown.reason)
  })

  function openEnding(request: HttpRequest, ending: AbortController): AbortController {
    endings.add(ending)
    const gone = request.onGone(() => ending.abort(GONE))
    request.deadline.on('near', (late) => ending.abort(late))
    const forget = () => {
      endings.delete(ending)
      gone.forget()
    }
    ending.signal.addEventListener('abort', forget, { once: true })
    if (request.isGone()) ending.abort(GONE)
    if (shutdown.aborted) ending.abort(shutdown.reason)
    return ending
  }

  return (request: HttpRequest, given = new AbortController()): ServerContext => {
    const ending = openEnding(request, given)
    return {
      ...createContext(request, ending.signal),
      // A request may run several mutations, so each has its key as an argument.
      idempotencyKey: null,
      endWithToken: () => followToken(() => isTokenGood(request), ending, config.tokenCheckMs),
      requestId: request.id,
      deadline: request.deadline,
      ending,
      sharing: { seconds: Infinity },
      documentCharge: { isPaid: false },
      room: createDocumentRoom(),
    }
  }
}

/** Ends a stream once its token is not valid any more. A lookup that fails does not end it. */
function followToken(isGood: () => Promise<boolean>, ending: AbortController, everyMs: number): void {
  if (ending.signal.aborted) return
  const check = async () => {
    if (!(await isGood().catch(() => true))) ending.abort(unauthorized())
  }
  const timer = setInterval(() => void check(), everyMs).unref()
  ending.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

/** Yoga's own Request costs a fraction of the runtime's. */
function toRequest(
  yoga: ReturnType<typeof createServer>,
  request: Pick<HttpRequest, 'url' | 'method' | 'headers'>,
  body: Buffer | null,
): Request {
  return new yoga.fetchAPI.Request(`http://service${request.url}`, {
    // The gateway leaves the body out of an answer to HEAD.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    headers: request.headers as Record<string, string>,
    body: body as Uint8Array<ArrayBuffer> | null,
  })
}

/** Yoga leaves its body empty. */
const NOT_ACCEPTABLE: HttpAnswer = {
  status: 406,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({
    errors: [
      {
        message:
          'Accept: expected text/event-stream for a subscription, application/json or application/graphql-response+json for all else',
        extensions: { error: 'Not acceptable', status: 406, code: 'NOT_ACCEPTABLE' },
      },
    ],
  }),
}

const isStream = ({ headers }: Response): boolean =>
  /^(text\/event-stream|multipart\/mixed)/.test(headers.get('content-type') ?? '')

async function toAnswer(response: Response): Promise<HttpAnswer> {
  if (response.status === 406) return NOT_ACCEPTABLE
  return {
    status: response.status,
    // Yoga's own Headers keep the case in which they were set.
    headers: Object.fromEntries([...response.headers].map(([name, value]) => [name.toLowerCase(), value])),
    // A whole answer is written at once; only a stream is streamed.
    body: isStream(response) ? response.body && readLater(response.body) : await response.text(),
  }
}

/** Yoga ends the process if a stream is ended before it was read; this one ends it only once it is read. */
async function* readLater(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body
}
