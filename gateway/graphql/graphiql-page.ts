import { keepAsset } from '../route/keep-asset.ts'
import type { HttpAnswer, HttpRequest } from '../route/route.ts'
import { DEFAULT_QUERY } from './default-query.ts'

/** The page brings its scripts inline and its editors run as blobs; it may talk to this service alone. */
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

/** GraphiQL as one self-contained page. It is 9 MB: loaded and rendered when first asked for. */
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

/** Whether a browser asks for a page, and not a client for an answer. */
export function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false
}
