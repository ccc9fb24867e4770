import { defineError } from '../../relayer/service-error.ts'

/** The token is valid, but does not allow this operation. */
export const scopeMissing = defineError({
  kind: 'forbidden',
  example: 'This token may not write: it lacks the scope',
})

/**
 * The account is not the token's. An account that does not exist is refused in the same way, so that a client cannot
 * find out which accounts exist.
 */
export const accountForbidden = defineError({
  kind: 'forbidden',
  message: 'This token does not give access to that account',
})

/** A client has made as many requests as it may within a minute. */
export const rateLimitExceeded = defineError({
  kind: 'too-many-requests',
  example: 'Rate limit exceeded. Maximum 60 requests per 1 minute.',
})

/** An Idempotency-Key was used with another input before. */
export const idempotencyKeyReused = defineError({
  code: 'IDEMPOTENCY_KEY_REUSED',
  kind: 'bad-request',
  meaning: 'The Idempotency-Key was used with another input before.',
  retry: 'With another key.',
  message: 'This Idempotency-Key was used with another request before',
})

/** An account has used as many Idempotency-Keys, or bytes of stored answers, as it may within 24 hours. */
export const idempotencyKeysExhausted = defineError({
  code: 'IDEMPOTENCY_KEYS_EXHAUSTED',
  kind: 'too-many-requests',
  meaning:
    'The account has used 20,000 Idempotency-Keys in 24 hours, or its stored answers have 32 MB (512 KB while those of all accounts have 4 GB).',
  retry: 'Without a key where none is needed, or later.',
  // After about this time some keys of an account that has used them all have expired.
  retryAfterSeconds: 600,
  example: 'An account may use 20000 Idempotency-Keys in 24 hours, and 33554432 bytes of answers',
})
