import { unauthorized } from '../errors.ts'
import { defineError } from '../service-error.ts'

/** A well-formed sign-in that is not accepted. */
export const signInRefused = defineError({
  code: 'UNPROCESSABLE_ENTITY',
  kind: 'unprocessable',
  meaning: 'The sign-in’s signature, nonce, domain or time is wrong.',
  retry: 'With a new nonce.',
  example: 'The nonce is unknown, used, expired, or of another address',
})

/** API keys and extensions may not authorize an extension. */
export const signInRequired = defineError({
  kind: 'forbidden',
  message: 'An extension is authorized by a signed-in account only',
})

/** There is no account yet that an extension could access. */
export const accountRequired = defineError({
  kind: 'forbidden',
  message: 'There is no account yet: create it first',
})

/** OAuth (RFC 6749, 5.2): the request is malformed, or names a redirect URI that is not registered. */
export const invalidRequest = defineError({
  code: 'invalid_request',
  kind: 'bad-request',
  meaning: 'OAuth: the request is malformed, or names a redirect URI that the client has not registered.',
  retry: 'With a corrected request.',
  example: 'redirect_uri is not one that the client has registered',
})

/** OAuth (RFC 6750, 3.1): the token is missing or no longer valid. */
export const invalidToken = defineError({
  code: 'invalid_token',
  kind: 'unauthorized',
  meaning: 'OAuth: the request has no token, or one that is not valid any more.',
  retry: 'With a new token.',
  message: unauthorized.example,
})

/** OAuth (RFC 6749, 5.2): the client of a token request is not registered. */
export const invalidClient = defineError({
  code: 'invalid_client',
  kind: 'unauthorized',
  meaning: 'OAuth: the client is not registered.',
  retry: 'No.',
  message: 'client_id is not registered',
})

/** OAuth (RFC 6749, 4.1.2.1): the client of an authorization request is not registered. */
export const unauthorizedClient = defineError({
  code: 'unauthorized_client',
  kind: 'bad-request',
  meaning: 'OAuth: the client that is to be authorized is not registered.',
  retry: 'No.',
  message: 'client_id is not registered',
})

/** OAuth (RFC 6749, 5.2): the code is invalid in this exchange. */
export const invalidGrant = defineError({
  code: 'invalid_grant',
  kind: 'bad-request',
  meaning: 'OAuth: the code is unknown, used, expired, or was given for another request.',
  retry: 'With a new code.',
  message: 'The code is unknown, used, expired, or was given for another request',
})

/** OAuth (RFC 6749, 5.2): tokens are issued for codes only. */
export const unsupportedGrantType = defineError({
  code: 'unsupported_grant_type',
  kind: 'bad-request',
  meaning: 'OAuth: tokens are given for authorization codes only.',
  retry: 'With `grant_type` `authorization_code`.',
  message: 'grant_type must be authorization_code',
})
