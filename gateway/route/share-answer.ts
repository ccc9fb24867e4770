import { createHash } from 'node:crypto'
import type { HttpAnswer, HttpRequest } from './route.ts'

/** Characters of an answer's version: 132 bits of its hash. */
const VERSION_LENGTH = 22

/**
 * Lets caches store an answer that is the same for everybody, and answers 304 to a client that has it. An answer to a
 * request with a token stays unchanged.
 *
 * @param seconds Time for which a cache may give it without asking again.
 */
export function shareAnswer(
  { headers }: Pick<HttpRequest, 'headers'>,
  answer: HttpAnswer,
  seconds: number,
): HttpAnswer {
  const { status, body } = answer
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  if (headers.authorization !== undefined || status !== 200 || !isWhole) return answer
  const version = createHash('sha256').update(body).digest('base64url').slice(0, VERSION_LENGTH)
  const shared = {
    ...answer.headers,
    // Weak: the same for every encoding.
    etag: `W/"${version}"`,
    'cache-control': `public, max-age=${seconds}`,
    vary: 'accept, authorization, origin',
  }
  return hasVersion(headers['if-none-match'], version)
    ? { status: 304, headers: shared, body: null }
    : { ...answer, headers: shared }
}

/** RFC 9110, 13.1.2: a list of tags, compared weakly. */
export function hasVersion(condition: string | undefined, version: string): boolean {
  const tags = (condition ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(`"${version}"`)
}
