import { defineError } from '../../service-error.ts'

/** The contract is not verified, or has no such function. */
export const sourceNotFound = defineError({
  kind: 'not-found',
  example: 'No verified source has a function of that selector',
})

/** The server's sources compile to other code than the chain has. */
export const codeMismatch = defineError({
  code: 'CODE_MISMATCH',
  kind: 'not-found',
  meaning: 'The server of verified sources has other code than the chain.',
  retry: 'No: treat the contract as not verified.',
  message: 'The verified source is not of the code on chain',
})

/** The server or the node does not answer or breaks the protocol, or the client's share is used up. */
export const sourcesUnavailable = defineError({
  code: 'SOURCES_UNAVAILABLE',
  kind: 'bad-gateway',
  meaning:
    'The server of verified sources, or the chain’s node, does not answer, or answers nonsense; or your share of the questions to the server is used up.',
  retry: 'After `Retry-After` seconds.',
  retryAfterSeconds: 10,
  message: 'Verified sources cannot be asked for now',
})
