import type { IncomingMessage, ServerResponse } from 'node:http'

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'x-graphql-event-stream-token',
  'if-none-match',
  // GraphQL clients add these headers on their own; the service ignores them.
  'apollographql-client-name',
  'apollographql-client-version',
  'x-apollo-operation-name',
  'apollo-require-preflight',
  'graphql-preflight',
].join(', ')
const EXPOSED_HEADERS = 'etag, ratelimit, ratelimit-policy, retry-after, x-request-id'

/** Lets wallets in browsers read answers. Credentials are not allowed, because the API uses no cookies. */
export function allowOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  origins: readonly string[],
): void {
  const { origin } = request.headers
  if (origins.includes('*')) response.setHeader('access-control-allow-origin', '*')
  else {
    response.setHeader('vary', 'origin')
    if (!origin || !origins.includes(origin)) return
    response.setHeader('access-control-allow-origin', origin)
  }
  response.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
}

/**
 * True if a page of the request's origin may open a WebSocket: browsers ask no leave for that, and let the page read it.
 * Clients that are no browsers name no origin.
 */
export function mayOpenSocket({ headers }: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, host = '' } = headers
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return true
  // Proxies may leave the port out.
  return URL.canParse(origin) && new URL(origin).hostname === host.replace(/:\d+$/, '')
}

/** Headers that answer a browser's preflight request. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    allow: methods.join(', '),
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '7200',
  }
}
