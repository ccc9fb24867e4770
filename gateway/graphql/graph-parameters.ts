import { GraphQLError } from 'graphql'
import { badRequest } from '../../relayer/errors.ts'
import type { HttpRequest } from '../route/route.ts'

/** What a client asks to run. */
export interface GraphParameters {
  /** Of any type until {@link demandDocument} has looked at them. */
  query?: unknown
  variables?: unknown
  operationName?: string | undefined
  extensions?: Readonly<Record<string, unknown>> | undefined
}

const MEMBERS = new Set(['query', 'variables', 'operationName', 'extensions'])

/** The HTTP side of an error: `isOfSpec` where GraphQL over HTTP answers 200 to clients that want application/json. */
interface HttpPart {
  status: number
  isOfSpec?: boolean
  headers?: Readonly<Record<string, string>>
}

/** A refusal before a document runs. */
export function refuseRequest(
  message: string,
  { isOfSpec = false, ...http }: HttpPart = { status: 400 },
  code: string | undefined = badRequest.terms.code,
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { ...http, spec: isOfSpec } } })
}

/**
 * Reads what a request asks to run.
 *
 * @param body Of a POST; null for a GET.
 * @throws GraphQLError for what is no JSON object.
 */
export function readParameters(request: Pick<HttpRequest, 'query'>, body: Buffer | null): GraphParameters {
  return body === null ? readSearch(request.query) : readBody(body)
}

function readSearch(search: URLSearchParams): GraphParameters {
  const text = (name: string) => search.get(name) || undefined
  const json = (name: string): unknown => {
    const given = text(name)
    try {
      return given === undefined ? undefined : JSON.parse(given)
    } catch {
      throw refuseRequest(`"${name}" is not valid JSON.`)
    }
  }
  return {
    operationName: text('operationName'),
    query: text('query'),
    variables: json('variables'),
    extensions: json('extensions') as GraphParameters['extensions'],
  }
}

function readBody(body: Buffer): GraphParameters {
  let given: unknown
  try {
    given = JSON.parse(body.toString())
  } catch {
    throw refuseRequest('POST body sent invalid JSON.', { status: 400, isOfSpec: true })
  }
  if (Array.isArray(given)) throw refuseRequest('Batching is not supported.')
  if (typeof given !== 'object' || given === null)
    throw refuseRequest(
      `POST body is expected to be object but received ${given === null ? 'null' : typeof given}`,
    )
  return given
}

/**
 * The document of a request, once its parameters are those that GraphQL over HTTP knows.
 *
 * @throws GraphQLError otherwise.
 */
export function demandDocument(parameters: GraphParameters): {
  query: string
  variables: Record<string, unknown> | null | undefined
} {
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined && !MEMBERS.has(name))
      throw refuseRequest(`Unexpected parameter "${name}" in the request body.`)
  const { query, variables, extensions } = parameters
  const headers = { allow: 'GET, POST' }
  if (query === null || query === undefined)
    throw refuseRequest('Must provide query string.', { status: 400, isOfSpec: true, headers })
  if (typeof query !== 'string')
    throw refuseRequest(`Expected "query" param to be a string, but given ${typeOf(query)}.`, {
      status: 400,
      headers,
    })
  for (const [name, value] of [['variables', variables] as const, ['extensions', extensions] as const])
    if (value !== undefined && typeOf(value) !== 'object' && value !== null)
      throw refuseRequest(`Expected "${name}" param to be empty or an object, but given ${typeOf(value)}.`, {
        status: 400,
        headers,
      })
  return { query, variables: variables as Record<string, unknown> | null | undefined }
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)
