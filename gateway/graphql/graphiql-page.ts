import { createHash } from 'node:crypto'
import { keepAsset } from '../route/keep-asset.ts'
import type { HttpAnswer, HttpRequest } from '../route/route.ts'
import { READY_DOCUMENTS } from './ready-documents.ts'

/** The page's own script is named by its hash, and its editors run as blobs; it may connect to this service only. */
const policyOf = (page: string) =>
  [
    "default-src 'none'",
    `script-src ${hashScripts(page).join(' ')}`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const hashScripts = (page: string) =>
  [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

const TABS_PLACE = '__TABS__'

/** The tabs of the first visit, as a script; a link with a document opens that alone. */
const READY_TABS = `new URLSearchParams(location.search).has("query") ? undefined : ${JSON.stringify(
  READY_DOCUMENTS.map(({ query, variables }) => ({
    query,
    ...(variables && {
      variables: JSON.stringify(variables, null, 2),
      headers: JSON.stringify({ authorization: 'Bearer <token>' }),
    }),
  })),
).replaceAll('<', String.raw`\u003c`)}`

/** GraphiQL as one self-contained page of 9 MB, loaded and rendered at the first request. */
export function createGraphiqlPage(): (request: HttpRequest) => Promise<HttpAnswer> {
  const render = async () => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
    const page = renderGraphiQL({
      title: 'GraphQL explorer',
      defaultQuery: READY_DOCUMENTS[0]?.query ?? '',
      subscriptionsProtocol: 'SSE',
      defaultTabs: TABS_PLACE,
    } as object)
    return Buffer.from(page.replace(JSON.stringify(TABS_PLACE), () => READY_TABS))
  }
  return keepAsset(render, (page) => ({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(page.toString()),
  }))
}

/** True if the request comes from a browser that wants a page, rather than from a GraphQL client. */
export function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false
}
