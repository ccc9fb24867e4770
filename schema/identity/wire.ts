import type { z } from 'zod'
import { EXTENSION_CODE_SECONDS } from '../../relayer/identity/extension-codes.ts'
import type { CodeExchange, ExtensionRequest, ExtensionToken } from '../../relayer/identity/identity.ts'
import type { extensionBody, extensionCode, hpkeKey, oauthToken, tokenBody } from './model.ts'

export function hpkeKeyToWire(publicKey: string): z.input<typeof hpkeKey> {
  const publicKeyBase64 = Buffer.from(publicKey, 'hex').toString('base64')
  return { publicKey, publicKeyBase64, format: 'hex', kem: 'X25519-HKDF-SHA256', aead: 'AES-128-GCM' }
}

export function extensionFromWire(body: z.output<typeof extensionBody>): ExtensionRequest {
  return {
    clientId: body.client_id,
    redirectUri: body.redirect_uri,
    state: body.state,
    codeChallenge: body.code_challenge,
    walletAddress: body.wallet_address,
  }
}

export function codeToWire(
  given: { code: string; accountId: string },
  state: string,
): z.input<typeof extensionCode> {
  return { code: given.code, state, account_id: given.accountId, expires_in: EXTENSION_CODE_SECONDS }
}

export function exchangeFromWire(body: z.output<typeof tokenBody>): CodeExchange {
  return {
    grantType: body.grant_type,
    code: body.code,
    codeVerifier: body.code_verifier,
    clientId: body.client_id,
    redirectUri: body.redirect_uri,
  }
}

export function tokenToWire(token: ExtensionToken): z.input<typeof oauthToken> {
  return {
    access_token: token.accessToken,
    token_type: 'Bearer',
    expires_in: token.expiresIn,
    account_id: token.accountId,
    auth_method: token.authMethod,
    wallet_address: token.walletAddress,
  }
}
