import { z } from 'zod'
import type { MaxRequest, QuoteRequest } from '../../../relayer/transact/kinds/quote-kinds.ts'
import { inspectShape } from '../../define/inspect-shape.ts'
import { address, amount, chainId } from '../../define/scalars.ts'
import { described, shape, type Members } from '../../define/shape.ts'

/** A parsed request with these members in addition to those of every kind. */
export type RequestBody<Own extends Members> = z.output<z.ZodObject<typeof requestMembers & Own>>
/** The same for a request for the maximum that can be spent. */
export type MaxRequestBody<Own extends Members> = z.output<z.ZodObject<typeof maxRequestMembers & Own>>

/** The same without members of its own. */
export type PlainMaxBody = z.output<z.ZodObject<typeof maxRequestMembers>>

/** The part of the API that belongs to one kind of quote. */
export interface KindShapes {
  /** Members of a request, required ones as {@link needed}. */
  request: Members
  maxRequest: Members
  /** Members of the answer that only this kind has; all of them may be null or absent. */
  answer: Members
  /** Reads a request with every needed member. @throws ServiceError `bad-request`. */
  readRequest(body: RequestBody<Members>): QuoteRequest
  /** The same. @throws ServiceError `bad-request`. */
  readMaxRequest(body: MaxRequestBody<Members>): MaxRequest
}

type Member = Members[string]
const optionalForms = new WeakMap<Member, Member>()

/** Makes an optional member one that a kind needs. @param meaning Describes it for that kind alone. */
export function needed<Optional extends Member & z.ZodType>(
  member: Optional,
  meaning?: string,
): Member & z.ZodType<NonNullable<z.output<Optional>>, NonNullable<z.input<Optional>>> {
  const description = meaning ?? z.globalRegistry.get(member)?.description ?? ''
  const base = inspectShape(member).base as unknown as z.ZodType<
    NonNullable<z.output<Optional>>,
    NonNullable<z.input<Optional>>
  >
  const required = described(base, description)
  optionalForms.set(required, member)
  return required
}

/** The optional form of a needed member; undefined for one that is not needed. */
export const optionalFormOf = (member: Member): Member | undefined => optionalForms.get(member)

/** The most addresses in one request. */
const MAX_ADDRESSES = 1_000
/** More addresses never pay together. */
const MAX_JOINED = 32

export const spendableAddresses = described(
  z.array(address).min(1).max(MAX_ADDRESSES).optional(),
  'The account’s addresses that alone may pay; without it any of them may.',
)

/** Members of every request to quote. */
export const requestMembers = {
  chainId,
  spendableAddresses,
  singleAddress: described(
    address.nullish(),
    'The one address of the account that is to pay; null lets the service choose.',
  ),
  executionSimulation: described(z.unknown().optional(), 'Accepted and ignored: every quote is simulated.'),
  ttl: described(
    z.int().min(10).max(86_400).optional(),
    'Seconds until the quote ends and its funds are free again; the service chooses without it.',
  ),
}

/** Members of every request for the maximum that can be spent. */
export const maxRequestMembers = {
  chainId,
  token: described(address, 'Contract of the token to spend; the zero address is the native coin.'),
  spendableAddresses,
}

const acknowledgedMatch = shape(
  'AcknowledgedPoisoningMatch',
  'A likeness that the user has seen and accepts.',
  {
    recipientAddress: described(address, '`resolvedAddress` of the 409: the address that imitates.'),
    matchedAddress: described(address, '`matchedAddress` of the 409: the known address.'),
  },
)

/** Members of a request for an amount of a token. */
export const amountMembers = {
  token: described(
    address.optional(),
    'Contract of the token to send, to deposit into its pool, or to sell for money; the zero address is the native coin.',
  ),
  amount: described(
    amount.optional(),
    'Amount that the recipient gets, that notes of a pool are worth, or that is sold or withdrawn, in the smallest unit. Ignored with `maxSend`.',
  ),
  maxSend: described(z.boolean().optional(), 'True sends, deposits or sells all that can be after fees.'),
}

/** Members of a request that name the recipient. */
export const recipientMembers = {
  decimals: described(
    z.int().min(0).max(255).optional(),
    'Decimals of the spent token as the client knows it; 400 DECIMALS_MISMATCH if it has others.',
  ),
  destinationAddress: described(
    z.string().min(1).max(255).optional(),
    'The recipient: an address or a name. Without one, a swap pays a fresh address of the account.',
  ),
  acknowledgedAddressPoisoningMatch: described(
    acknowledgedMatch.nullish(),
    'The pair of the 409 that the user has seen and accepts; no other pair counts.',
  ),
  acknowledgedProvenanceMix: described(
    z.array(address).min(2).max(MAX_JOINED).nullish(),
    'The addresses of a 400 PROVENANCE_MIX, if the user accepts that they are joined on chain: exactly those that pay, no more and no less. `spendableAddresses` accepts nothing.',
  ),
  acknowledgedContractRecipient: described(
    address.nullish(),
    '`resolvedAddress` of a 400 CONTRACT_RECIPIENT that the user accepts.',
  ),
}

/** Members of answers about quotes that a bridge carries to another chain. */
export const bridgeAnswer = {
  recoveryRecipient: described(
    address.nullish(),
    'Receiver of the refund of a failed bridge; null on one chain.',
  ),
  bridgeProvider: described(z.string().nullish(), 'Bridge that carries the funds; null on one chain.'),
  estimatedFillTimeMs: described(
    z.number().nullish(),
    'How long a bridge takes, in milliseconds; null on one chain.',
  ),
  fillDeadline: described(z.iso.datetime().nullish(), 'When a bridge gives up; null on one chain.'),
}

/** Members of quotes that involve a pool. */
export const poolAddress = described(
  address.nullish(),
  'The pool that is paid, or that pays back; absent where a quote has to do with none.',
)
