import type { ExecutionResult } from 'graphql'
import { createYoga, isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { OperationContext } from '../../schema/define/context.ts'
import { buildGraph } from '../../schema/build-graph.ts'
import type { invoke } from '../../schema/define/invoke.ts'
import { isJson } from '../route/read-json.ts'
import type { HttpAnswer, HttpRequest, Route } from '../route/route.ts'
import { HttpError } from '../errors.ts'
import type { Logger } from '../logging.ts'
import type { GraphqlConfig } from './graphql-config.ts'
import { graphqlError, maskResult } from './graphql-errors.ts'
import { createDocumentCharges, type ChargedContext } from './document-charges.ts'
import { followToken } from './follow-token.ts'
import { createGraphiqlPage, wantsPage } from './graphiql-page.ts'
import { guardDocuments } from './guard-documents.ts'
import { keepIntrospections } from './keep-introspections.ts'
import { keepNewest } from './keep-newest.ts'
import { loadDocuments } from './load-documents.ts'
import { persistedDocuments } from './persisted-documents.ts'

/** Bytes of a request without a valid token: enough for the longest document with its variables. */
const STRANGERS_REQUEST = 96 * 1_024

/** How many parsed documents are cached: clients send the same few repeatedly. */
const KEPT_DOCUMENTS = 200
/** Characters of all cached documents together: a parsed document takes about 200 bytes per character. */
const KEPT_CHARACTERS = 100_000

/** Made once, for an error takes a stack with it. */
const COMPLETE = new Error('the answer is complete')

interface ServerContext extends ChargedContext {
  requestId: string
  /** Is aborted when the answer is complete; for a stream, when it has ended or has to end. */
  ending: AbortController
}

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
  const yoga = createYoga<ServerContext>({
    schema: buildGraph(options.run),
    plugins: [
      persistedDocuments({ listed, onlyListed }),
      guardDocuments({ introspection }),
      charges.plugin,
      introspections.plugin,
      maskErrors(options.logger),
    ],
    parserAndValidationCache: {
      documentCache: keepNewest(KEPT_DOCUMENTS, KEPT_CHARACTERS),
      errorCache: keepNewest(KEPT_DOCUMENTS, KEPT_CHARACTERS),
    },
    // This gateway does these things itself, in the same way for REST.
    maskedErrors: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    logging: false,
  })

  /** A client that sends a large body has to show a valid token first. */
  async function bodyLimit(request: HttpRequest): Promise<number | undefined> {
    const { headers } = request
    const isSmall = Number(headers['content-length']) <= STRANGERS_REQUEST
    if (isSmall || headers.authorization === undefined) return STRANGERS_REQUEST
    return (await options.isTokenGood(request)) ? undefined : STRANGERS_REQUEST
  }

  async function answer(request: HttpRequest): Promise<HttpAnswer> {
    const hasBody = request.method === 'POST'
    // Any web page can send a form or plain text without a preflight request.
    if (hasBody && !isJson(request))
      throw new HttpError(415, 'Send the document as Content-Type: application/json')
    const body = hasBody ? await request.readBody(await bodyLimit(request)) : null
    const given = options.createContext(request)
    const ending = new AbortController()
    const context: ServerContext = {
      ...given,
      // A request may run several mutations, so each has its key as an argument.
      idempotencyKey: null,
      signal: AbortSignal.any([given.signal, options.shutdown, ending.signal]),
      endWithToken: () =>
        followToken(() => options.isTokenGood(request), {
          everyMs: tokenCheckMs,
          ending,
          signal: context.signal,
        }),
      requestId: request.id,
      ending,
      documentCharge: { isPaid: false },
    }
    await charges.admit(context)
    const response = await yoga.fetch(
      // Yoga's own Request costs a fraction of the runtime's.
      new yoga.fetchAPI.Request(`http://service${request.url}`, {
        method: request.method === 'HEAD' ? 'GET' : request.method,
        headers: headersOf(request),
        body: body && new Uint8Array(body),
      }),
      context,
    )
    await charges.settle(context)
    // The answer to HEAD, or one in a format that the client does not accept, is not read by anybody, and no
    // disconnect would end it.
    if (request.method === 'HEAD' || response.status === 406) ending.abort(COMPLETE)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      // A whole answer is written at once; only what goes on is streamed.
      body: isStream(response.headers) ? response.body && readLater(response.body) : await response.text(),
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

const isStream = (headers: Headers) =>
  /^(text\/event-stream|multipart\/mixed)/.test(headers.get('content-type') ?? '')

/** Yoga ends the process if a stream is ended before it was read; this one ends it only once it is read. */
async function* readLater(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body
}

function headersOf(request: HttpRequest): Record<string, string> {
  const { accept, 'content-type': contentType } = request.headers
  return { ...(accept && { accept }), ...(contentType && { 'content-type': contentType }) }
}

/** Masks errors in the final result, whichever part of the execution they come from. */
function maskErrors(logger: Logger): Plugin<object, ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const mask = (one: ExecutionResult) => maskResult(one, { id: serverContext.requestId, logger })
      if (isAsyncIterable(result))
        setResult(maskEach(result as AsyncIterable<ExecutionResult>, mask, serverContext.ending))
      else {
        // This includes subscriptions that failed after they were accepted: nothing may keep running for them.
        serverContext.ending.abort(COMPLETE)
        if (!Array.isArray(result)) setResult(mask(result as ExecutionResult))
      }
    },
  }
}

async function* maskEach(
  results: AsyncIterable<ExecutionResult>,
  mask: (result: ExecutionResult) => ExecutionResult,
  ending: AbortController,
): AsyncGenerator<ExecutionResult> {
  try {
    for await (const result of results) yield mask(result)
  } finally {
    ending.abort(COMPLETE)
  }
}
