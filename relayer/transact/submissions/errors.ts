import { defineError } from '../../service-error.ts'

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
  meaning: 'What was submitted is not what the quote asked to sign.',
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
    'As many payments of the account are under way as it may have at once: fewer after one failed on the chain.',
  retry: 'Once some of them have ended.',
  fundsState: STILL_LOCKED,
  retryAfterSeconds: 15,
  example: 'So many payments of this account are under way: 8',
})
