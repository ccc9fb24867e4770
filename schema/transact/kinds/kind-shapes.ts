import type { z } from 'zod'
import { badRequest } from '../../../relayer/errors.ts'
import type { Members } from '../../define/shape.ts'
import type { maxRequestMembers, requestMembers } from './request-members.ts'

/** A parsed request with these members in addition to those of every kind. */
export type RequestBody<Own extends Members> = z.output<z.ZodObject<typeof requestMembers & Own>>
/** The same for a request for the maximum that can be spent. */
export type MaxRequestBody<Own extends Members> = z.output<z.ZodObject<typeof maxRequestMembers & Own>>

/** The part of the API that belongs to one kind of quote. */
export interface KindShapes<Request, MaxRequest> {
  /** Members of a request. All are optional here, because GraphQL has one input for all kinds. */
  request: Members
  /** Names of the members that every request of this kind has. */
  needs: readonly string[]
  maxRequest: Members
  /** Members of the answer that only this kind has; all of them may be null or absent. */
  answer: Members
  /** @throws ServiceError `bad-request` for a member that this kind needs. */
  readRequest(body: RequestBody<Members>): Request
  /** @throws ServiceError `bad-request` for a member that this kind needs. */
  readMaxRequest(body: MaxRequestBody<Members>): MaxRequest
}

/**
 * The value of a member that a kind of quote needs.
 * @throws ServiceError `bad-request` BAD_REQUEST if it is absent, with the message of the general validation.
 */
export function demandMember<Value>(name: string, value: Value | null | undefined): Value {
  if (value !== undefined && value !== null) return value
  throw badRequest(`body.${name}: is required (string)`)
}
