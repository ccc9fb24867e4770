import { HttpError } from '../errors.ts'
import type { HttpRequest } from './route.ts'

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

export const isJson = (request: Pick<HttpRequest, 'headers'>) =>
  JSON_TYPE.test(request.headers['content-type'] ?? '')

/**
 * The request's body as JSON; undefined where there is none. Another content type is a bad request (400) and not a
 * 415: the contract's statuses know no 415, and clients written against it have no case for one.
 *
 * @throws HttpError 400 or 413.
 */
export async function readJson(request: HttpRequest, most?: number): Promise<unknown> {
  const body = await request.readBody(most)
  if (body.length === 0) return undefined
  if (!isJson(request)) {
    throw new HttpError(400, 'Send the body as Content-Type: application/json', { code: 'BAD_REQUEST' })
  }
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new HttpError(400, 'The body is not valid JSON', { code: 'BAD_REQUEST' })
  }
}
