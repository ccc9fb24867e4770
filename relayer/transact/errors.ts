import { z } from 'zod'
import { tokenOfError } from '../market/errors.ts'
import { serverBusy } from '../errors.ts'
import { defineError } from '../service-error.ts'

const UNTOUCHED = 'Nothing was sent and nothing was locked.'

const inSmallestUnit = <Schema extends z.ZodType>(schema: Schema, what: string): Schema =>
  schema.meta({ description: `${what}, in the smallest unit.` })
const smallestUnit = (what: string) => inSmallestUnit(z.bigint(), what)

const feePaymentOption = z
  .object({
    token: z.string().meta({ description: 'Contract of the token; the zero address is the native coin.' }),
    symbol: z.string().meta({ description: 'Symbol of the token.' }),
    decimals: z.int().meta({ description: 'Decimals of amounts in the smallest unit.' }),
    available: z.bigint().meta({ description: 'Amount that can be spent now, in the smallest unit.' }),
    maxSpendable: z.bigint().meta({ description: 'The most that could be sent then.' }),
    feeEstimate: z.bigint().meta({ description: 'The estimated fee in the smallest unit.' }),
  })
  .meta({ id: 'FeePaymentOption', description: 'A token that the fee could be paid in.' })

/** Answers that a chain does not answer: the client may repeat its request. @throws ServiceError `unavailable`. */
export function refuseSilence(cause: unknown): never {
  throw serverBusy('The chain does not answer. Try again later.', { cause })
}

/** The account has less of the token than the payment needs. */
export const insufficientBalance = defineError({
  code: 'INSUFFICIENT_BALANCE',
  kind: 'bad-request',
  meaning: 'The account has less than that; `available` says how much.',
  retry: 'With a smaller amount.',
  fundsState: UNTOUCHED,
  example: 'There is not as much ETH',
  members: tokenOfError.extend({ available: smallestUnit('The available balance') }),
})

/** The account has the amount, but not the fee on top. */
export const insufficientFundsForFees = defineError({
  code: 'INSUFFICIENT_FUNDS_FOR_FEES',
  kind: 'bad-request',
  meaning: 'Amount and fee exceed the balance; `maxSendable` is the most that can be sent.',
  retry: 'With a smaller amount.',
  fundsState: UNTOUCHED,
  example: 'Fees leave 900000000000000000 of the ETH to be sent, in the smallest unit',
  members: tokenOfError.extend({
    maxSendable: smallestUnit('The most that can be sent after fees'),
    feeEstimate: inSmallestUnit(z.bigint().optional(), 'The estimated fee'),
    required: inSmallestUnit(z.bigint().optional(), 'The amount asked for and the estimated fee'),
    shortfall: smallestUnit('By how much the request exceeds what fees leave'),
    spendableCount: z.number().optional().meta({ description: 'Spendables that `maxSendable` counts.' }),
    maxInputs: z.number().optional().meta({ description: 'The most spendables that one quote may take.' }),
    feePaymentOptions: z
      .array(feePaymentOption)
      .optional()
      .meta({ description: 'Tokens that the fee could be paid in instead.' }),
  }),
})

/** Only addresses of different origins suffice together, and the user has not accepted joining them. */
export const provenanceMix = defineError({
  code: 'PROVENANCE_MIX',
  kind: 'bad-request',
  meaning:
    'Only addresses whose money comes from different origins suffice together: paying would join them on chain for good. `addresses` would pay, `maxSendable` is what can be sent without joining them.',
  retry: 'With `maxSendable`, or with `addresses` as `acknowledgedProvenanceMix` if the user accepts it.',
  fundsState: UNTOUCHED,
  example: 'Paying this joins 2 addresses whose money comes from different origins',
  members: z.object({
    addresses: z.array(z.string()).meta({ description: 'The addresses that would pay together.' }),
    maxSendable: smallestUnit('The most that can be sent without joining them'),
  }),
})

/** Fees are paid in the sent token, which has no usable price now, or no pools that would pay that price. */
export const feeTokenUnpriced = defineError({
  code: 'FEE_TOKEN_UNPRICED',
  kind: 'bad-request',
  meaning:
    'Fees cannot be paid in the token: it has no price, only an old one, or it is neither listed nor exchanged by deep pools.',
  retry: 'With another token; later where its price is only old.',
  fundsState: UNTOUCHED,
  example: 'TKN has no price, so fees cannot be paid in it',
  members: tokenOfError,
})

/** The request and the token disagree about its decimals. */
export const decimalsMismatch = defineError({
  code: 'DECIMALS_MISMATCH',
  kind: 'bad-request',
  meaning: 'The token has other decimals than `decimals` says.',
  retry: 'With the token’s decimals.',
  fundsState: UNTOUCHED,
  example: 'decimals: the token has 6, not 18',
})

/** Other quotes hold the funds that the payment needs. */
export const quoteLockConflict = defineError({
  code: 'QUOTE_LOCK_CONFLICT',
  kind: 'conflict',
  meaning: 'Another quote has locked the same funds.',
  retry: 'Once that quote is unlocked or over.',
  fundsState: 'Nothing was sent. Nothing was locked beyond what the other quotes hold.',
  message: 'The funds are locked by other quotes: unlock one, or wait for it to end',
})

/** The account has no quote of that id. */
export const quoteNotFound = defineError({ kind: 'not-found', message: 'There is no such quote' })

/** A quote that has ended, or was submitted, cannot be replaced by another. */
export const quoteNotRefreshable = defineError({
  code: 'QUOTE_NOT_REFRESHABLE',
  kind: 'bad-request',
  meaning: 'The quote has ended or was submitted.',
  retry: 'With a new quote.',
  fundsState: 'Nothing was sent for a quote that has ended, and it locks nothing.',
  example: 'This quote is expired: ask for a new one',
})

/**
 * The quote of this Idempotency-Key was unlocked or replaced since; repeating it would return a quote that
 * cannot be submitted.
 */
export const repeatedQuoteEnded = defineError({
  code: 'IDEMPOTENT_QUOTE_ENDED',
  kind: 'conflict',
  meaning: 'The quote that this Idempotency-Key got was unlocked or replaced since.',
  retry: 'With another key.',
  fundsState: 'Nothing was sent, and the old quote locks nothing.',
  example: 'The quote of this Idempotency-Key is unlocked: ask for a new one with another key',
})

/** A quote that was submitted cannot be unlocked. */
export const quoteSubmitted = defineError({
  code: 'QUOTE_SUBMITTED',
  kind: 'bad-request',
  meaning: 'The quote was submitted and cannot be unlocked.',
  retry: 'No: follow its relay status.',
  fundsState: 'The payment is pending or over; its relay status says which.',
  message: 'This quote was submitted: it cannot be unlocked any more',
})

/** No venue offers a price for the swap. */
export const swapUnavailable = defineError({
  code: 'SWAP_UNAVAILABLE',
  kind: 'bad-gateway',
  meaning: 'No venue has a price.',
  retry: 'Later.',
  fundsState: UNTOUCHED,
  message: 'No venue has a price.',
})

/** The amount is so low that the output would be zero, or that no bridge carries it. */
export const amountTooLow = defineError({
  code: 'AMOUNT_TOO_LOW',
  kind: 'bad-request',
  meaning:
    'The output would be zero, or the bridge carries no such small amount; `minimum` is the least that it carries, if known.',
  retry: 'With a larger amount.',
  fundsState: UNTOUCHED,
  message: 'The amount is too low: the output would be zero, or no bridge carries it',
  members: z.object({
    minimum: z.bigint().optional().meta({
      description: 'The least that the bridge carries, in the smallest unit of the token that it takes.',
    }),
  }),
})

/** Sending now costs more than the user signed, or the terms of the venue have changed. */
export const quoteRefreshRequired = defineError({
  code: 'QUOTE_REFRESH_REQUIRED',
  kind: 'bad-request',
  meaning:
    'Gas rose beyond what was signed, the price of a swap or the rate of a cash-out moved, or the venue of a cash-out changed or does not pay its payee any more.',
  retry: 'After a refresh, with new signatures.',
  fundsState: 'Nothing was sent. The quote keeps its funds locked until it is submitted, unlocked or ends.',
  example: 'Sending costs more than was quoted by now: refresh the quote',
})

/** The nullifier of the note is already spent on the chain. */
export const noteSpent = defineError({
  code: 'NOTE_SPENT',
  kind: 'bad-request',
  meaning: 'The note was spent; the rest of the deposit is in a newer one.',
  retry: 'With the newest note of the deposit, after reading `pool/state` again.',
  fundsState: 'Nothing was sent. The withdrawn amount is with its recipient.',
  message: 'This note is spent',
})

const STILL_LOCKED =
  'Nothing was sent. The quote keeps its funds locked until it is submitted, unlocked or ends.'

/** The quote cannot be submitted any more. */
export const quoteExpired = defineError({
  code: 'QUOTE_EXPIRED',
  kind: 'bad-request',
  meaning: 'The quote has expired, or was unlocked or refreshed.',
  retry: 'With a new quote.',
  fundsState: 'Nothing was sent. A quote that has ended locks nothing.',
  example: 'This quote has run out',
})

/** The submission has other intents or delegations than the quote. */
export const quoteMismatch = defineError({
  code: 'QUOTE_MISMATCH',
  kind: 'bad-request',
  meaning: 'The submission differs from the quote.',
  retry: 'With what the quote asked to sign.',
  fundsState: STILL_LOCKED,
  example: 'intents: one of the quote is missing',
})

/** A signature is by another key than that of its address. */
export const invalidSignature = defineError({
  code: 'INVALID_SIGNATURE',
  kind: 'bad-request',
  meaning: 'A signature is not by the key of its address.',
  retry: 'With the right signature.',
  fundsState: STILL_LOCKED,
  example: 'intents[0].signature: is not of the key of its eoa',
})

/** The chain would skip a delegation, because its nonce is used. */
export const authorizationNonceStale = defineError({
  code: 'AUTHORIZATION_NONCE_STALE',
  kind: 'bad-request',
  meaning: 'The address sent something by itself since the quote was made.',
  retry: 'With a new quote.',
  fundsState: STILL_LOCKED,
  example: 'delegations[0].authorizationNonce: the address has sent a transaction since; refresh the quote',
})

/** The account's payments failed too often at the service's cost. */
export const tooManyFailed = defineError({
  code: 'TOO_MANY_FAILED',
  kind: 'forbidden',
  meaning: 'Too many payments of the account failed on the chain lately, at the service’s cost.',
  retry: 'Later.',
  fundsState: STILL_LOCKED,
  message: 'Too many payments of this account failed on the chain lately',
})

/** The account has as many pending payments as it may. Pending payments end with a final block. */
export const tooManyUnderWay = defineError({
  code: 'TOO_MANY_UNDER_WAY',
  kind: 'too-many-requests',
  meaning:
    'The account has the maximum number of pending payments, which is lower after one failed on the chain.',
  retry: 'Once some of them have ended.',
  fundsState: STILL_LOCKED,
  retryAfterSeconds: 15,
  example: 'So many payments of this account are pending: 8',
})
