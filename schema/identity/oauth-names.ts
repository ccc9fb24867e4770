import type { z } from 'zod'
import type { CodeExchange, ExtensionRequest, ExtensionToken } from '../../relayer/identity/identity.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { extensionBody, oauthToken, tokenBody } from './model.ts'

// Requests and answers of OAuth use snake case (RFC 6749).

/** The request of the browser extension. */
export function readExtensionRequest(body: z.output<typeof extensionBody>): ExtensionRequest {
  return {
    clientId: body.client_id,
    redirectUri: body.redirect_uri,
    state: body.state,
    codeChallenge: body.code_challenge,
    walletAddress: body.wallet_address,
  }
}

/** The code to exchange, and the values that it was issued for. */
export function readExchange(body: z.output<typeof tokenBody>): CodeExchange {
  return {
    grantType: body.grant_type,
    code: body.code,
    codeVerifier: body.code_verifier,
    clientId: body.client_id,
    redirectUri: body.redirect_uri,
  }
}

/** A token with OAuth's member names. */
export function describeOauthToken(token: ExtensionToken): AnswerOf<typeof oauthToken> {
  return {
    access_token: token.accessToken,
    token_type: 'Bearer',
    expires_in: token.expiresIn,
    account_id: token.accountId,
    auth_method: token.authMethod,
    wallet_address: token.walletAddress,
  }
}
