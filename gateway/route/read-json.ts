import type { HttpRequest } from './route.ts'
import { badRequest } from '../../relayer/errors.ts'

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

export const isJson = (request: Pick<HttpRequest, 'headers'>) =>
  JSON_TYPE.test(request.headers['content-type'] ?? '')

/**
 * The request's body as JSON; undefined where there is none. Another content type is a bad request (400) and not a
 * 415: the contract's statuses know no 415, and clients written against it have no case for one.
 *
 * @throws ServiceError `bad-request`, HttpError 413.
 */
export async function readJson(request: HttpRequest, most?: number): Promise<unknown> {
  const body = await request.readBody(most)
  if (body.length === 0) return undefined
  if (!isJson(request)) {
    throw badRequest('Send the body as Content-Type: application/json')
  }
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}
