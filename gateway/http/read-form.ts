import type { HttpRequest } from '../route/route.ts'
import { badRequest } from '../../relayer/errors.ts'

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

export const isForm = (request: HttpRequest) => FORM_TYPE.test(request.headers['content-type'] ?? '')

/**
 * The members of a form that was sent as the body, all of them text. OAuth clients send forms (RFC 6749).
 *
 * @throws ServiceError `bad-request` when a member is given twice, HttpError 413.
 */
export async function readForm(request: HttpRequest, most?: number): Promise<Record<string, string>> {
  const members = [...new URLSearchParams((await request.readBody(most)).toString('utf8'))]
  if (new Set(members.map(([name]) => name)).size !== members.length)
    throw badRequest('The body gives a member more than once')
  return Object.fromEntries(members)
}
