import { defineError } from './service-error.ts'

/** The request is malformed or asks for the impossible. The message names each offending member. */
export const badRequest = defineError({
  code: 'BAD_REQUEST',
  kind: 'bad-request',
  meaning: 'The request is malformed; the message names each offending member.',
  retry: 'With a corrected request.',
  example: 'body.amount: is required (string)',
})

/** The operation needs a token, and the request has none or an invalid one. */
export const unauthorized = defineError({
  code: 'UNAUTHORIZED',
  kind: 'unauthorized',
  meaning: 'The request has no token, or one that is not valid any more.',
  retry: 'With a new token.',
  message: 'A valid bearer token is required',
})

/** A queue is full, or a dependency of the service does not answer. The same request may succeed later. */
export const serverBusy = defineError({
  code: 'SERVER_BUSY',
  kind: 'unavailable',
  meaning: 'A queue is full, a node or provider does not answer, or no signer has funds for gas.',
  retry: 'After `Retry-After` seconds.',
  fundsState: 'Nothing was sent and nothing was locked.',
  example: 'Too many requests are in progress; try again',
})

/** The service's database is away, so it can accept nothing. */
export const databaseDown = defineError({
  code: 'DATABASE_AWAY',
  kind: 'unavailable',
  meaning: 'The service cannot reach its database: it accepts nothing, and most reads fail.',
  retry: 'The same request after `Retry-After` seconds; a submission or a relay is not sent twice.',
  fundsState: 'The request may have been accepted just before: ask for its state once the service answers.',
  retryAfterSeconds: 5,
  message: 'The service cannot reach its database at the moment; try again',
})

/** The service did not finish in time. Its work may go on, and a change may be carried out later. */
export const answerLate = defineError({
  code: 'ANSWER_LATE',
  kind: 'unavailable',
  meaning: 'The service did not finish in time, mostly because a node or provider does not answer.',
  retry: 'The same request after `Retry-After` seconds, with the same Idempotency-Key if it had one.',
  fundsState:
    'The request may still be carried out: the same request finds what it did. Nothing is sent twice; a quote without a key frees its funds when it expires.',
  retryAfterSeconds: 2,
  message: 'The service did not finish in time; repeat the same request to find its outcome',
})

/** The account does not exist; some operations also throw it for another caller's account. */
export const accountNotFound = defineError({ kind: 'not-found', message: 'There is no such account' })
