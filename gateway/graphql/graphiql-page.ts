import { keepAsset } from '../route/keep-asset.ts'
import type { HttpAnswer, HttpRequest } from '../route/route.ts'
import { DEFAULT_QUERY } from './default-query.ts'

/** The page has inline scripts, and its editors run as blobs; it may connect to this service only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** GraphiQL as one self-contained page of 9 MB, loaded and rendered at the first request. */
export function createGraphiqlPage(): (request: HttpRequest) => Promise<HttpAnswer> {
  const render = async () => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
    return Buffer.from(
      renderGraphiQL({
        title: 'GraphQL explorer',
        defaultQuery: DEFAULT_QUERY,
        subscriptionsProtocol: 'SSE',
      }),
    )
  }
  return keepAsset(render, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
  })
}

/** Whether the request comes from a browser that wants a page, rather than from a GraphQL client. */
export function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false
}
