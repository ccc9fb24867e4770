import type { YogaServerInstance } from 'graphql-yoga'
import type { HttpAnswer, HttpRequest } from '../route/route.ts'
import { COMPLETE } from './stream-ends.ts'

/**
 * Runs requests that need Yoga's own answer: GET, and rare bodies and accepted types.
 *
 * @param context Its `ending` is aborted if no client reads the answer.
 */
export async function runByFetch<Context extends { ending: AbortController }>(
  yoga: YogaServerInstance<Context, object>,
  request: HttpRequest,
  body: Buffer | null,
  context: Context,
): Promise<HttpAnswer> {
  const response = await yoga.fetch(
    // Yoga's own Request costs a fraction of the runtime's.
    new yoga.fetchAPI.Request(`http://service${request.url}`, {
      method: request.method === 'HEAD' ? 'GET' : request.method,
      headers: headersOf(request),
      body: body && new Uint8Array(body),
    }),
    context,
  )
  // Nothing reads the answer to HEAD, or one in a format that the client does not accept, and no disconnect would end
  // it.
  if (request.method === 'HEAD' || response.status === 406) context.ending.abort(COMPLETE)
  return {
    status: response.status,
    // Yoga's own Headers keep the case in which they were set.
    headers: Object.fromEntries([...response.headers].map(([name, value]) => [name.toLowerCase(), value])),
    // A whole answer is written at once; only a stream is streamed.
    body: isStream(response.headers) ? response.body && readLater(response.body) : await response.text(),
  }
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
