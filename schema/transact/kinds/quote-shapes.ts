import type { MaxRequest, QuoteRequest, SentRequest } from '../../../relayer/transact/kinds/quote-kinds.ts'
import { z } from 'zod'
import { pascalCase } from '../../define/pascal-case.ts'
import { address } from '../../define/scalars.ts'
import { described, shape, type Members } from '../../define/shape.ts'
import {
  maxRequestMembers,
  optionalFormOf,
  poolAddress,
  requestMembers,
  type KindShapes,
  type MaxRequestBody,
  type RequestBody,
} from './kind-shapes.ts'
import { badRequest } from '../../../relayer/errors.ts'
import { dappCallShapes } from './dapp-call/dapp-call-shapes.ts'
import { offrampShapes } from './offramp/offramp-shapes.ts'
import { offrampWithdrawShapes } from './offramp-withdraw/offramp-withdraw-shapes.ts'
import { poolDepositShapes } from './pool-deposit/pool-deposit-shapes.ts'
import { sendShapes } from './send/send-shapes.ts'
import { spendShapes } from './spend/spend-shapes.ts'
import { swapShapes } from './swap/swap-shapes.ts'

/** Every kind of quote, by the `type` that requests give it. */
const shapes: Readonly<Record<Exclude<QuoteRequest['kind'], 'pool_recover' | 'nft_withdraw'>, KindShapes>> = {
  send: sendShapes,
  swap: swapShapes,
  pool_deposit: poolDepositShapes,
  dapp_call: dappCallShapes,
  offramp: offrampShapes,
  offramp_withdraw: offrampWithdrawShapes,
  ...spendShapes,
}

/** Members that only the answer of `pool-recover/prepare` has; otherwise it is a quote. */
const recoverAnswer: Members = {
  kind: described(z.literal('recover').nullish(), '`recover` for a recovered deposit; else absent.'),
  poolAddress,
  commitmentId: described(z.string().nullish(), 'The recovered note; absent for other quotes.'),
}

/** Members that only the answer of `collectible/withdraw` has; otherwise it is a quote. */
const withdrawAnswer: Members = {
  depositAddress: described(
    address.nullish(),
    'The account’s address that the collectible leaves; absent for other quotes.',
  ),
  recipientAddress: described(address.nullish(), 'Recipient of the collectible; absent for other quotes.'),
  tokenId: described(
    z.string().nullish(),
    'Number of the collectible, whose contract is `outputToken`; absent for other quotes.',
  ),
}

/** Members of the answer that only one kind has, by every kind of quote that the service sends. */
export const ANSWERS_OF_KINDS = {
  send: sendShapes.answer,
  swap: swapShapes.answer,
  pool_deposit: poolDepositShapes.answer,
  dapp_call: dappCallShapes.answer,
  offramp: offrampShapes.answer,
  offramp_withdraw: offrampWithdrawShapes.answer,
  pool_recover: recoverAnswer,
  nft_withdraw: withdrawAnswer,
} satisfies Record<SentRequest['kind'], Members>
/** The name of such a kind. */
export type AnsweredKind = keyof typeof ANSWERS_OF_KINDS

/** The member that every quote of a kind has, and no other; a payment has none of them. */
export const MARKS_OF_KINDS: Readonly<Record<Exclude<AnsweredKind, 'send'> | 'spend', string>> = {
  swap: 'routing',
  pool_deposit: 'deposits',
  dapp_call: 'origin',
  offramp: 'payeeDetails',
  offramp_withdraw: 'withdrawnAmount',
  pool_recover: 'commitmentId',
  nft_withdraw: 'tokenId',
  spend: 'withdrawals',
}

/** A `type` of a request to quote. */
export type RequestType = keyof typeof shapes

export const REQUEST_TYPES = Object.keys(shapes) as [RequestType, ...RequestType[]]

/**
 * The members that the kinds add to a shared shape; all of them are optional there.
 * @throws Error when two kinds use one name for different members.
 */
export function membersOfKinds(part: 'request' | 'maxRequest' | 'answer'): Members {
  const all: Record<string, Members[string]> =
    part === 'answer' ? { ...recoverAnswer, ...withdrawAnswer } : {}
  for (const [type, kind] of Object.entries(shapes))
    for (const [name, own] of Object.entries(kind[part])) {
      const member = optionalFormOf(own) ?? own
      if (all[name] !== undefined && all[name] !== member)
        throw new Error(`${type} has another ${name} than the kinds before it`)
      all[name] = member
    }
  return all
}

const requestOf = (type: RequestType) =>
  shape(`${pascalCase(type)}QuoteRequest`, `A request for a quote of the type \`${type}\`.`, {
    type: described(z.literal(type), 'Kind of quote.'),
    ...requestMembers,
    ...shapes[type].request,
  })

const [firstType, ...otherTypes] = REQUEST_TYPES
/** A request to quote as the wire has it, by `type`. */
export const quoteRequest = z
  .discriminatedUnion('type', [requestOf(firstType), ...otherTypes.map(requestOf)])
  .meta({ id: 'QuoteRequest', description: 'The requested quote.' })

const commonMembers = { request: requestMembers, maxRequest: maxRequestMembers }

/**
 * Checks that a request has the members that its type needs, and none that only other types have.
 * @throws ServiceError `bad-request` BAD_REQUEST with the name of the member.
 */
export function checkMembers(part: keyof typeof commonMembers, type: RequestType, body: object): void {
  const given = new Set(
    Object.entries(body).flatMap(([name, value]) => (value === undefined || value === null ? [] : [name])),
  )
  for (const name of given) {
    if (name === 'type' || name in commonMembers[part] || name in shapes[type][part]) continue
    const owners = REQUEST_TYPES.filter((other) => name in shapes[other][part])
    throw badRequest(`body.${name}: belongs to type ${owners.join(', ')}, not to ${type}`)
  }
  for (const [name, member] of Object.entries(shapes[type][part]))
    if (optionalFormOf(member) && !given.has(name))
      throw badRequest(`body.${name}: is required for type ${type}`)
}

/**
 * Reads a request for a quote.
 * @throws ServiceError as {@link checkMembers}; `bad-request` for members that do not fit together.
 */
export function readQuoteRequest(body: RequestBody<Members> & { type: RequestType }): QuoteRequest {
  checkMembers('request', body.type, body)
  return shapes[body.type].readRequest(body)
}

/** The same for a request for the most that can be spent. @throws ServiceError as {@link readQuoteRequest}. */
export function readMaxRequest(type: RequestType, body: MaxRequestBody<Members>): MaxRequest {
  checkMembers('maxRequest', type, body)
  return shapes[type].readMaxRequest(body)
}
