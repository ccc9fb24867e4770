import type { HttpRequest } from './route.ts'
import { badRequest } from '../../relayer/errors.ts'

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

export const isJson = (request: Pick<HttpRequest, 'headers'>) =>
  JSON_TYPE.test(request.headers['content-type'] ?? '')

/**
 * The request's body as JSON; undefined if there is none. Another content type is answered 400 instead of 415,
 * because the contract has no 415, and clients written for it do not handle one.
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
