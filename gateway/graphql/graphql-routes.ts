import type { ExecutionResult, GraphQLSchema } from 'graphql'
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
import { createDocumentCharges, type ChargedContext, type DocumentCharges } from './document-charges.ts'
import { createWriting, resultOfError, type Writing } from './create-writing.ts'
import { createEventStreams, type EventStreams, type StreamParts } from './event-streams.ts'
import { createTokenWatch, type TokenWatch } from './follow-token.ts'
import { createGraphiqlPage, wantsPage } from './graphiql-page.ts'
import { guardDocuments } from './guard-documents.ts'
import { keepIntrospections, type KeptIntrospections } from './keep-introspections.ts'
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
  const { introspection, onlyListed } = options.config
  const endpoint = new GraphqlEndpoint(options)
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
      explorable && wantsPage(request.headers.accept) ? graphiqlPage(request) : endpoint.answer(request),
    ),
    route('POST', (request) => endpoint.answer(request)),
  ]
}

class GraphqlEndpoint {
  readonly #options: GraphqlOptions
  readonly #schema: GraphQLSchema
  readonly #charges: DocumentCharges
  readonly #yoga: ReturnType<typeof createServer>
  readonly #streams: EventStreams
  readonly #tokens: TokenWatch
  readonly #encodings = shareEncoding()
  /** Controllers of the running requests. */
  readonly #endings = new Set<AbortController>()

  constructor(options: GraphqlOptions) {
    const { config, logger, shutdown } = options
    const introspections = keepIntrospections()
    this.#options = options
    this.#charges = createDocumentCharges(config, introspections)
    this.#schema = buildGraph(options.run)
    this.#yoga = createServer(options, this.#schema, this.#charges, introspections)
    this.#streams = createEventStreams(options.isBusy, (error) =>
      logger.error({ err: error }, 'an event could not be written'),
    )
    this.#tokens = createTokenWatch(config.tokenCheckMs)
    shutdown.addEventListener('abort', () => {
      for (const ending of this.#endings) ending.abort(shutdown.reason)
    })
  }

  async answer(request: HttpRequest): Promise<HttpAnswer> {
    const hasBody = request.method === 'POST'
    // Any web page can send a form or plain text without a preflight request.
    if (hasBody && !isJson(request))
      throw new HttpError(415, 'Send the document as Content-Type: application/json')
    const body = hasBody ? await request.readBody(await this.#bodyLimit(request)) : null
    const ending = new AbortController()
    const gone = request.onGone(() => ending.abort(GONE))
    const forget = () => {
      this.#endings.delete(ending)
      gone.forget()
    }
    try {
      const answered = await this.#answerIn(this.#openContext(request, ending), request, body)
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

  /** A client must show a valid token before it may send a large body. */
  async #bodyLimit(request: HttpRequest): Promise<number | undefined> {
    const { headers } = request
    const isSmall = Number(headers['content-length']) <= STRANGERS_REQUEST
    if (isSmall || headers.authorization === undefined) return STRANGERS_REQUEST
    return (await this.#options.isTokenGood(request)) ? undefined : STRANGERS_REQUEST
  }

  #openContext(request: HttpRequest, ending: AbortController): ServerContext {
    const { shutdown, createContext, isTokenGood } = this.#options
    this.#endings.add(ending)
    if (request.isGone()) ending.abort(GONE)
    if (shutdown.aborted) ending.abort(shutdown.reason)
    return {
      ...createContext(request, ending.signal),
      // A request may run several mutations, so each has its key as an argument.
      idempotencyKey: null,
      endWithToken: () => this.#tokens.follow(() => isTokenGood(request), ending),
      requestId: request.id,
      ending,
      documentCharge: { isPaid: false },
      room: createDocumentRoom(),
      found: {},
    }
  }

  async #answerIn(context: ServerContext, request: HttpRequest, body: Buffer | null): Promise<HttpAnswer> {
    await this.#charges.admit(context)
    const params = body && acceptedType(request.headers.accept, false) !== null ? readParams(body) : null
    const answered = await (params
      ? this.#runDirectly(request, params, context)
      : runByFetch(this.#yoga, request, body, context))
    await this.#charges.settle(context)
    return answered
  }

  /** Runs the usual form, which nearly all clients send. */
  async #runDirectly(
    request: HttpRequest,
    params: GraphQLParams,
    context: ServerContext,
  ): Promise<HttpAnswer> {
    // The members of a request that Yoga's plugins read, without the runtime's Request.
    const light = { method: request.method, headers: request.headers, url: request.url } as unknown as Request
    const writing = createWriting(request.id, this.#options.logger)
    const run = async () => this.#yoga.getResultForParams({ params, request: light }, context)
    const result = await run().catch(resultOfError)
    const { ending } = context
    if (!isAsyncIterable(result)) return this.#answerOnce(request, result as ExecutionResult, writing, ending)
    if (acceptedType(request.headers.accept, true) === null) {
      ending.abort(COMPLETE)
      return { status: 406, headers: { accept: 'text/event-stream' }, body: null }
    }
    const { told } = context.found
    if (!told) return this.#openStream(result, writing, ending)
    // Followers of a shared event with the same document share its encoding.
    const asked = askedOf(told.document, params)
    const { encode, leave } = this.#encodings.join(asked, createEncoding(this.#schema, writing.write))
    return this.#openStream(told.events, { ...writing, write: encode }, ending, leave)
  }

  #answerOnce(
    request: HttpRequest,
    result: ExecutionResult & { stringify?: unknown },
    writing: Writing,
    ending: AbortController,
  ): HttpAnswer {
    // Also for subscriptions that failed after they were accepted: nothing may keep running for them.
    ending.abort(COMPLETE)
    const type = acceptedType(request.headers.accept, false)
    if (type === 'text/event-stream') return this.#openStream(once(result), writing, ending)
    const { status, headers, body } = writeResult(writing.mask(result), type ?? 'application/json')
    return { status, headers: lowerCased(headers), body }
  }

  #openStream<Event>(
    events: AsyncIterable<Event>,
    { write, writeError }: { write: (event: Event) => Encoded; writeError: Writing['writeError'] },
    ending: AbortController,
    leave?: () => void,
  ): HttpAnswer {
    return {
      status: 200,
      headers: STREAM_HEADERS,
      body: this.#streams.open({
        events,
        encode: write as StreamParts['encode'],
        encodeError: writeError,
        ending,
        leave: createLeave(this.#endings, ending, leave),
      }),
    }
  }
}

function createServer(
  { config, logger }: GraphqlOptions,
  schema: GraphQLSchema,
  charges: DocumentCharges,
  introspections: KeptIntrospections,
) {
  const { introspection, documents, onlyListed } = config
  const listed = documents === undefined ? new Map<string, string>() : loadDocuments(documents)
  return createYoga<ServerContext>({
    schema,
    plugins: [
      persistedDocuments({ listed, onlyListed }),
      guardDocuments({ introspection }),
      charges.plugin,
      introspections.plugin,
      writeInSlices,
      tellSubscriptions,
      maskErrors(logger),
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

/** Separate from the request's execution, so that a stream keeps nothing of it. */
const createEncoding = (schema: GraphQLSchema, write: Writing['write']) => (asked: string) => {
  const read = readsOf(schema, asked)
  return (event: unknown) => {
    const one = read(event)
    return one instanceof Promise ? one.then(write) : write(one)
  }
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
