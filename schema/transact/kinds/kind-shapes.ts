import type { z } from 'zod'
import { badRequest } from '../../../relayer/errors.ts'
import type { Members } from '../../define/shape.ts'
import type { maxRequestMembers, requestMembers } from './request-members.ts'

/** A parsed request with these members beside those of every kind. */
export type RequestBody<Own extends Members> = z.output<z.ZodObject<typeof requestMembers & Own>>
/** The same of a question for the most that can be spent. */
export type MaxRequestBody<Own extends Members> = z.output<z.ZodObject<typeof maxRequestMembers & Own>>

/** What the API says of one kind of quote, beside what it says of all. */
export interface KindShapes<Request, MaxRequest> {
  /** Members of a request. All are optional, since the request is one shape for all kinds: `readRequest` demands. */
  request: Members
  maxRequest: Members
  /** Members of the answer that only this kind has; all are nullish. */
  answer: Members
  /** @throws ServiceError `bad-request` for a member that this kind needs. */
  readRequest(body: RequestBody<Members>): Request
  /** @throws ServiceError `bad-request` for a member that this kind needs. */
  readMaxRequest(body: MaxRequestBody<Members>): MaxRequest
}

/**
 * The value of a member that a kind of quote needs.
 * @throws ServiceError `bad-request` BAD_REQUEST where it is absent, in the words of every other validation.
 */
export function demandMember<Value>(name: string, value: Value | null | undefined): Value {
  if (value !== undefined && value !== null) return value
  throw badRequest(`body.${name}: is required (string)`)
}
