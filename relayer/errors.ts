import { defineError } from './service-error.ts'

/** A request that the service cannot read, or that asks for the impossible. The message names each offending member. */
export const badRequest = defineError({
  code: 'BAD_REQUEST',
  kind: 'bad-request',
  meaning: 'The request is malformed; the message names each offending member.',
  retry: 'With a corrected request.',
  example: 'body.amount: is required (string)',
})

/** No token, or one that is not valid any more, where one is needed. */
export const unauthorized = defineError({
  code: 'UNAUTHORIZED',
  kind: 'unauthorized',
  meaning: 'The request has no token, or one that is not valid any more.',
  retry: 'With a new token.',
  message: 'A valid bearer token is required',
})

/** A queue is full, or something that the service depends on does not answer. The same request may succeed later. */
export const serverBusy = defineError({
  code: 'SERVER_BUSY',
  kind: 'unavailable',
  meaning: 'A queue is full, a node or provider does not answer, or no signer has funds for gas.',
  retry: 'After `Retry-After` seconds.',
  fundsState: 'Nothing was sent and nothing was locked.',
  example: 'Too many requests are in progress; try again',
})

/** The account in question does not exist, or is not the caller's where an operation does not tell one from the other. */
export const accountNotFound = defineError({ kind: 'not-found', message: 'There is no such account' })
