import type { z } from 'zod'
import type { CodeExchange, ExtensionRequest, ExtensionToken } from '../../relayer/identity/identity.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { extensionBody, oauthToken, tokenBody } from './model.ts'

// OAuth's requests and answers have names in snake case (RFC 6749).

/** What the extension asks for. */
export function readExtensionRequest(body: z.output<typeof extensionBody>): ExtensionRequest {
  return {
    clientId: body.client_id,
    redirectUri: body.redirect_uri,
    state: body.state,
    codeChallenge: body.code_challenge,
    walletAddress: body.wallet_address,
  }
}

/** The code to exchange, and what it was given for. */
export function readExchange(body: z.output<typeof tokenBody>): CodeExchange {
  return {
    grantType: body.grant_type,
    code: body.code,
    codeVerifier: body.code_verifier,
    clientId: body.client_id,
    redirectUri: body.redirect_uri,
  }
}

/** The token by OAuth's names. */
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
