import { z } from 'zod'
import { badRequest } from '../../../relayer/errors.ts'
import { SPEND_KINDS, type SpendKind } from '../../../relayer/pool/book/book-content.ts'
import { inspectShape } from '../../define/inspect-shape.ts'
import { described, shape, type Members } from '../../define/shape.ts'
import { QUOTE_TYPES, shapesOf, type QuoteType } from './quote-shapes.ts'
import { maxRequestMembers, requestMembers } from './request-members.ts'
import { isSpendKind, SPEND_NEEDS, spendMembers } from './spend/spend-shapes.ts'

/** Every `type` of a request to quote: the kinds of quotes, and the spends from pools. */
export const REQUEST_TYPES = [...QUOTE_TYPES, ...SPEND_KINDS] as const
/** One of these types. */
export type RequestType = QuoteType | SpendKind

/** Members of requests of a type, without those of every type. */
const membersOf = (type: RequestType): Members => (isSpendKind(type) ? spendMembers : shapesOf(type).request)
const maxMembersOf = (type: RequestType): Members => (isSpendKind(type) ? {} : shapesOf(type).maxRequest)
const needsOf = (type: RequestType) => (isSpendKind(type) ? SPEND_NEEDS : shapesOf(type).needs)

const nameOf = (type: string) =>
  type
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')

/** The members of one type; those that it needs are required. */
function ownMembers(type: RequestType): Members {
  const needs = new Set(needsOf(type))
  return Object.fromEntries(
    Object.entries(membersOf(type)).map(([name, member]) => {
      if (!needs.has(name)) return [name, member]
      const { description = '' } = z.globalRegistry.get(member) ?? {}
      return [name, described(inspectShape(member).base as unknown as z.ZodType, description)]
    }),
  )
}

const requestOf = (type: RequestType) =>
  shape(`${nameOf(type)}QuoteRequest`, `A request for a quote of the type \`${type}\`.`, {
    type: described(z.literal(type), 'Kind of quote.'),
    ...requestMembers,
    ...ownMembers(type),
  })

const [firstType, ...otherTypes] = REQUEST_TYPES
/** A request to quote as the wire has it, by `type`. */
export const quoteRequest = z
  .discriminatedUnion('type', [requestOf(firstType), ...otherTypes.map(requestOf)])
  .meta({ id: 'QuoteRequest', description: 'What to quote.' })

/**
 * Checks that a request has the members that its type needs, and none that only other types have.
 * @throws ServiceError `bad-request` BAD_REQUEST with the name of the member.
 */
export function checkQuoteMembers(body: { type: RequestType } & object): void {
  const { type } = body
  refuseForeign(body, type, membersOf, requestMembers)
  const given = presentIn(body)
  for (const name of needsOf(type))
    if (!given.includes(name)) throw badRequest(`body.${name}: is required for type ${type}`)
}

/**
 * The same for a request for the most that can be spent.
 * @throws ServiceError `bad-request` BAD_REQUEST with the name of the member.
 */
export const checkMaxMembers = (type: RequestType, body: object): void =>
  refuseForeign(body, type, maxMembersOf, maxRequestMembers)

const presentIn = (body: object) =>
  Object.entries(body).flatMap(([name, value]) => (value === undefined || value === null ? [] : [name]))

function refuseForeign(
  body: object,
  type: RequestType,
  members: (of: RequestType) => Members,
  common: Members,
): void {
  for (const name of presentIn(body)) {
    if (name === 'type' || name in common || name in members(type)) continue
    const owners = REQUEST_TYPES.filter((other) => name in members(other))
    throw badRequest(`body.${name}: belongs to type ${owners.join(', ')}, not to ${type}`)
  }
}
