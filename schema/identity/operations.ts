import {
  accountRequired,
  invalidClient,
  invalidGrant,
  invalidRequest,
  signInRefused,
  signInRequired,
  unauthorizedClient,
  unsupportedGrantType,
} from '../../relayer/identity/errors.ts'
import { EXTENSION_CODE_SECONDS } from '../../relayer/identity/authorize-extension.ts'
import type { Principal } from '../../relayer/identity/principal.ts'
import { defineOperation, publicQuery } from '../define/operation.ts'
import {
  extensionBody,
  extensionCode,
  hpkeKey,
  jwks,
  loggedOut,
  nonceQuery,
  oauthToken,
  session,
  siweNonce,
  tokenBody,
  verifyBody,
} from './model.ts'
import { unauthorized } from '../../relayer/errors.ts'
import type { z } from 'zod'
import type { CodeExchange, ExtensionRequest, ExtensionToken } from '../../relayer/identity/identity.ts'
import type { AnswerOf } from '../define/encode.ts'

const section = 'Authentication and session'
const HPKE_SUITE = { format: 'hex', kem: 'X25519-HKDF-SHA256', aead: 'AES-128-GCM' } as const

export const identityOperations = [
  publicQuery({
    name: 'hpkePublicKey',
    rest: 'GET /v1/.well-known/hpke-public-key',
    section,
    summary: 'The key to encrypt key material with',
    description:
      'HPKE in base mode with HKDF-SHA256, info and aad empty. Key material encrypted to the previous key is accepted for a day after its replacement.',
    input: {},
    output: hpkeKey,
    run: async (_, { services }) => {
      const publicKey = await services.identity.hpkePublicKey()
      const publicKeyBase64 = Buffer.from(publicKey, 'hex').toString('base64')
      return { publicKey, publicKeyBase64, ...HPKE_SUITE }
    },
  }),
  publicQuery({
    name: 'nonce',
    rest: 'GET /v1/nonce',
    limit: 20,
    neverShared: true,
    plainText: true,
    section,
    summary: 'A nonce to sign in with',
    description:
      'Put it into the sign-in message. It signs in this address once, within five minutes. Ask with `Accept: text/plain` for the bare nonce instead of a JSON string.',
    input: { query: nonceQuery },
    output: siweNonce,
    run: ({ query }, { services }) => services.identity.issueNonce(query.address),
  }),
  defineOperation({
    name: 'verify',
    kind: 'mutation',
    rest: 'POST /v1/verify',
    status: 200,
    access: 'public',
    limit: 10,
    errors: [signInRefused],
    section,
    summary: 'Sign in',
    description:
      'Exchanges a signed message for a token. 400 for a message that cannot be read; 422 UNPROCESSABLE_ENTITY for a wrong signature, nonce, domain or time.',
    input: { body: verifyBody },
    output: session,
    run: async ({ body }, { services }) => {
      const signIn = await services.identity.signIn({ ...body, authType: body.authType })
      const { authAddress, token, accountId, keyAccessMethod } = signIn
      return { ok: true, address: authAddress, token, accountId, keyAccessMethod }
    },
  }),
  defineOperation({
    name: 'logout',
    kind: 'mutation',
    rest: 'POST /v1/logout',
    status: 200,
    access: 'optional',
    errors: [],
    section,
    summary: 'Sign out',
    description:
      'Revokes the token of the request. Without a token, or with an expired or revoked one, it does nothing and succeeds. API keys are revoked by the operator alone.',
    input: {},
    output: loggedOut,
    run: async (_, { services, principal }) => {
      if (principal) await services.identity.signOut(principal)
      return { ok: true }
    },
  }),
  defineOperation({
    name: 'authorizeExtension',
    kind: 'mutation',
    rest: 'POST /v1/extension-authorizations',
    status: 200,
    access: 'bearer',
    limit: 10,
    errors: [signInRequired, accountRequired, invalidRequest, unauthorizedClient],
    errorShape: 'oauth',
    section,
    summary: 'Authorize the browser extension',
    description:
      'A code that the extension exchanges at `/v1/oauth/token`, once and within 300 seconds. PKCE with S256 is mandatory, and `redirect_uri` must be registered letter by letter. Needs the token of a sign-in to an account.',
    input: { body: extensionBody },
    output: extensionCode,
    run: async ({ body }, { services, principal }) => {
      const request = readExtensionRequest(body)
      const { code, accountId } = await services.identity.authorizeExtension(signedIn(principal), request)
      return { code, state: body.state, account_id: accountId, expires_in: EXTENSION_CODE_SECONDS }
    },
  }),
  defineOperation({
    name: 'exchangeCode',
    kind: 'mutation',
    rest: 'POST /v1/oauth/token',
    status: 200,
    access: 'public',
    limit: 10,
    errors: [unsupportedGrantType, invalidClient, invalidGrant],
    errorShape: 'oauth',
    form: true,
    section,
    summary: 'A token for the browser extension',
    description:
      'Exchanges a code and its verifier for a token that lasts a week. The body may be JSON or application/x-www-form-urlencoded. A code that is used again revokes the token that it gave.',
    input: { body: tokenBody },
    output: oauthToken,
    run: async ({ body }, { services }) =>
      describeOauthToken(await services.identity.exchangeCode(readExchange(body))),
  }),
  publicQuery({
    name: 'jwks',
    rest: 'GET /.well-known/jwks.json',
    section,
    summary: 'The keys that sign tokens',
    description:
      'The current key first (RFC 7517). Whether a token was revoked is known to this service alone.',
    input: {},
    output: jwks,
    run: async (_, { services }) => jwks.parse(await services.identity.jwks()),
  }),
]

function signedIn(principal: Principal | null): Principal {
  if (principal) return principal
  throw unauthorized()
}

// Requests and answers of OAuth use snake case (RFC 6749).

/** The request of the browser extension. */
function readExtensionRequest(body: z.output<typeof extensionBody>): ExtensionRequest {
  return {
    clientId: body.client_id,
    redirectUri: body.redirect_uri,
    state: body.state,
    codeChallenge: body.code_challenge,
    walletAddress: body.wallet_address,
  }
}

/** The code to exchange, and the values that it was issued for. */
function readExchange(body: z.output<typeof tokenBody>): CodeExchange {
  return {
    grantType: body.grant_type,
    code: body.code,
    codeVerifier: body.code_verifier,
    clientId: body.client_id,
    redirectUri: body.redirect_uri,
  }
}

/** A token with OAuth's member names. */
function describeOauthToken(token: ExtensionToken): AnswerOf<typeof oauthToken> {
  return {
    access_token: token.accessToken,
    token_type: 'Bearer',
    expires_in: token.expiresIn,
    account_id: token.accountId,
    auth_method: token.authMethod,
    wallet_address: token.walletAddress,
  }
}
