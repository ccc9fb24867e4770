import { demandDocumented } from './documented-codes.ts'

export interface Answered {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined if it is not JSON. */
  json: Record<string, unknown> | undefined
}

/** Sends one HTTP request; a body that is not text is sent as JSON. */
export async function call(
  url: string,
  options: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const { method = 'GET', body, headers } = options
  const answer = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  let json: Record<string, unknown> | undefined
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  demandDocumented(method, url, answer.status, json)
  return { status: answer.status, headers: answer.headers, text, json }
}

export function post(url: string, body: unknown, headers?: Record<string, string>): Promise<Answered> {
  return call(url, { method: 'POST', body, ...(headers && { headers }) })
}

/** Runs a GraphQL document. */
export async function graphql(
  url: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<{ data?: Record<string, unknown> | null; errors?: GraphqlFault[] }> {
  return (await post(`${url}/graphql`, { query, variables })).json ?? {}
}

export interface GraphqlFault {
  message: string
  path?: (string | number)[]
  extensions: Record<string, unknown>
}
