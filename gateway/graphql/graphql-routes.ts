import type { ExecutionResult } from 'graphql'
import { createYoga, isAsyncIterable, type GraphQLParams } from 'graphql-yoga'
import type { OperationContext } from '../../schema/define/context.ts'
import { buildGraph } from '../../schema/build-graph.ts'
import type { invoke } from '../../schema/define/invoke.ts'
import { isJson } from '../route/read-json.ts'
import type { HttpAnswer, HttpRequest, Route } from '../route/route.ts'
import { HttpError } from '../errors.ts'
import type { Logger } from '../logging.ts'
import { acceptedType } from './accepted-type.ts'
import type { GraphqlConfig } from './graphql-config.ts'
import { createDocumentRoom } from './document-room.ts'
import { createDocumentCharges, type ChargedContext } from './document-charges.ts'
import { createWriting, resultOfError, type Writing } from './create-writing.ts'
import { createEventStreams, type StreamParts } from './event-streams.ts'
import { createTokenWatch } from './follow-token.ts'
import { createGraphiqlPage, wantsPage } from './graphiql-page.ts'
import { guardDocuments } from './guard-documents.ts'
import { keepIntrospections } from './keep-introspections.ts'
import { SharedPlaces } from '../../relayer/shares/shared-places.ts'
import { loadDocuments } from './load-documents.ts'
import { maskErrors } from './mask-errors.ts'
import { persistedDocuments } from './persisted-documents.ts'
import { runByFetch } from './run-by-fetch.ts'
import { shareEncoding } from './share-encoding.ts'
import { COMPLETE, GONE } from './stream-ends.ts'
import { askedOf, readsOf, tellSubscriptions, type Found } from './tell-subscriptions.ts'
import { writeInSlices } from './write-in-slices.ts'
import { writeResult } from './write-result.ts'

/** Bytes of a request without a valid token: enough for the longest document with its variables. */
const STRANGERS_REQUEST = 96 * 1_024

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
  requestId: string
  /** Aborted when a stream has ended or must end; an answer that failed or is not read ends its events too. */
  ending: AbortController
  found: Found
}

export interface GraphqlOptions {
  /** @param signal Ends work that is still running. */
  createContext(request: HttpRequest, signal: AbortSignal): OperationContext
  /** Whether the request's token is still valid. */
  isTokenGood(request: HttpRequest): Promise<boolean>
  /** Whether requests are running. */
  isBusy(): boolean
  run: typeof invoke
  config: GraphqlConfig
  logger: Logger
  /** Ends every subscription. */
  shutdown: AbortSignal
}

/**
 * `/graphql`: queries and mutations, subscriptions as server-sent events, and the explorer for browsers. Yoga parses,
 * validates and executes. Requests and answers of the usual form bypass its HTTP layer, which takes longer than most
 * documents.
 */
export function graphqlRoutes(options: GraphqlOptions): Route[] {
  const { introspection, documents, onlyListed, tokenCheckMs } = options.config
  const listed = documents === undefined ? new Map<string, string>() : loadDocuments(documents)
  const introspections = keepIntrospections()
  const charges = createDocumentCharges(options.config, introspections)
  const schema = buildGraph(options.run)
  const yoga = createYoga<ServerContext>({
    schema,
    plugins: [
      persistedDocuments({ listed, onlyListed }),
      guardDocuments({ introspection }),
      charges.plugin,
      introspections.plugin,
      writeInSlices,
      tellSubscriptions,
      maskErrors(options.logger),
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
  const streams = createEventStreams(options.isBusy, (error) =>
    options.logger.error({ err: error }, 'an event could not be written'),
  )
  const tokens = createTokenWatch(tokenCheckMs)
  const encodings = shareEncoding()
  /** Controllers of the running requests. */
  const endings = new Set<AbortController>()
  options.shutdown.addEventListener('abort', () => {
    for (const ending of endings) ending.abort(options.shutdown.reason)
  })

  /** A client must show a valid token before it may send a large body. */
  async function bodyLimit(request: HttpRequest): Promise<number | undefined> {
    const { headers } = request
    const isSmall = Number(headers['content-length']) <= STRANGERS_REQUEST
    if (isSmall || headers.authorization === undefined) return STRANGERS_REQUEST
    return (await options.isTokenGood(request)) ? undefined : STRANGERS_REQUEST
  }

  function openContext(request: HttpRequest, ending: AbortController): ServerContext {
    endings.add(ending)
    if (request.isGone()) ending.abort(GONE)
    if (options.shutdown.aborted) ending.abort(options.shutdown.reason)
    return {
      ...options.createContext(request, ending.signal),
      // A request may run several mutations, so each has its key as an argument.
      idempotencyKey: null,
      endWithToken: () => tokens.follow(() => options.isTokenGood(request), ending),
      requestId: request.id,
      ending,
      documentCharge: { isPaid: false },
      room: createDocumentRoom(),
      found: {},
    }
  }

  async function answer(request: HttpRequest): Promise<HttpAnswer> {
    const hasBody = request.method === 'POST'
    // Any web page can send a form or plain text without a preflight request.
    if (hasBody && !isJson(request))
      throw new HttpError(415, 'Send the document as Content-Type: application/json')
    const body = hasBody ? await request.readBody(await bodyLimit(request)) : null
    const ending = new AbortController()
    const gone = request.onGone(() => ending.abort(GONE))
    const forget = () => {
      endings.delete(ending)
      gone.forget()
    }
    try {
      const answered = await answerIn(openContext(request, ending), request, body)
      const { body: given } = answered
      // A stream ends its own parts.
      if (isLive(given) && 'stream' in given) gone.forget()
      else if (!isLive(given) || ending.signal.aborted) forget()
      else ending.signal.addEventListener('abort', forget)
      return answered
    } catch (error) {
      forget()
      throw error
    }
  }

  async function answerIn(
    context: ServerContext,
    request: HttpRequest,
    body: Buffer | null,
  ): Promise<HttpAnswer> {
    await charges.admit(context)
    const params = body && acceptedType(request.headers.accept, false) !== null ? readParams(body) : null
    const answered = await (params
      ? runDirectly(request, params, context)
      : runByFetch(yoga, request, body, context))
    await charges.settle(context)
    return answered
  }

  /** Runs the usual form, which nearly all clients send. */
  async function runDirectly(
    request: HttpRequest,
    params: GraphQLParams,
    context: ServerContext,
  ): Promise<HttpAnswer> {
    // The members of a request that Yoga's plugins read, without the runtime's Request.
    const light = { method: request.method, headers: request.headers, url: request.url } as unknown as Request
    const { mask, write, writeError } = createWriting(request.id, options.logger)
    const run = async () => yoga.getResultForParams({ params, request: light }, context)
    const result = await run().catch(resultOfError)
    const { ending } = context
    const open = <Event>(
      events: AsyncIterable<Event>,
      encode: (event: Event) => Encoded,
      leave?: () => void,
    ) => ({
      status: 200,
      headers: STREAM_HEADERS,
      body: streams.open({
        events,
        encode: encode as StreamParts['encode'],
        encodeError: writeError,
        ending,
        leave: createLeave(endings, ending, leave),
      }),
    })
    if (!isAsyncIterable(result)) {
      // Also for subscriptions that failed after they were accepted: nothing may keep running for them.
      ending.abort(COMPLETE)
      const single = result as ExecutionResult & { stringify?: unknown }
      const type = acceptedType(request.headers.accept, false)
      if (type === 'text/event-stream') return open(once(single), write)
      const { status, headers, body } = writeResult(mask(single), type ?? 'application/json')
      return { status, headers: lowerCased(headers), body }
    }
    if (acceptedType(request.headers.accept, true) === null) {
      ending.abort(COMPLETE)
      return { status: 406, headers: { accept: 'text/event-stream' }, body: null }
    }
    const { told } = context.found
    if (!told) return open(result, write)
    // Followers of a shared event with the same document share its encoding.
    const { encode, leave } = encodings.join(askedOf(told.document, params), createEncoding(write))
    return open(told.events, encode, leave)
  }

  /** Separate from the request's execution, so that a stream keeps nothing of it. */
  const createEncoding = (write: Writing['write']) => (asked: string) => {
    const read = readsOf(schema, asked)
    return (event: unknown) => {
      const one = read(event)
      return one instanceof Promise ? one.then(write) : write(one)
    }
  }

  const explorable = introspection && !onlyListed
  const graphiqlPage = createGraphiqlPage()
  const route = (method: 'GET' | 'POST', handle: Route['handle']): Route => ({
    method,
    path: '/graphql',
    name: 'graphql',
    handle,
  })
  return [
    route('GET', (request) =>
      explorable && wantsPage(request.headers.accept) ? graphiqlPage(request) : answer(request),
    ),
    route('POST', answer),
  ]
}

const isLive = (body: HttpAnswer['body']): body is Exclude<HttpAnswer['body'], string | Buffer | null> =>
  typeof body === 'object' && body !== null && !Buffer.isBuffer(body)

type Encoded = ReturnType<StreamParts['encode']>

function createLeave(endings: Set<AbortController>, ending: AbortController, leave?: () => void) {
  return () => {
    endings.delete(ending)
    leave?.()
  }
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'content-encoding': 'none',
  connection: 'keep-alive',
}

/** The parameters of a body; null for one that Yoga has to refuse. */
function readParams(body: Buffer): GraphQLParams | null {
  try {
    const params: unknown = JSON.parse(body.toString())
    return typeof params === 'object' && params !== null && !Array.isArray(params) ? params : null
  } catch {
    return null
  }
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

async function* once<Value>(value: Value): AsyncGenerator<Value> {
  yield value
}
