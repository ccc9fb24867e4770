import { z } from 'zod'
import { address, bytes } from '../define/wire-scalars.ts'

export const hpkeKey = z
  .object({
    publicKey: z.string().meta({ description: '32 bytes in hex, without 0x.' }),
    publicKeyBase64: z.string(),
    format: z.literal('hex'),
    kem: z.literal('X25519-HKDF-SHA256'),
    aead: z.literal('AES-128-GCM'),
  })
  .meta({ id: 'HpkePublicKey', description: 'The key to encrypt key material with.' })

const jwk = z
  .object({
    kty: z.string(),
    crv: z.string(),
    x: z.string(),
    y: z.string(),
    kid: z.string(),
    alg: z.string(),
    use: z.string(),
  })
  .meta({ id: 'JsonWebKey', description: 'A public key (RFC 7517).' })

export const jwks = z
  .object({ keys: z.array(jwk) })
  .meta({ id: 'JsonWebKeySet', description: 'The keys that sign tokens (RFC 7517).' })

const authAddress = address.meta({
  description: 'Address of the spending key, not that of the connected wallet.',
})

export const nonceQuery = z.object({ address: authAddress })

export const siweNonce = z.string().meta({ examples: ['mK3qZ0pT9sWf2LxB7vNc1RyD'] })

export const keyAccessMethod = z.enum(['passkey_prf', 'wallet_pin', 'unknown']).meta({
  id: 'KeyAccessMethod',
  description: 'How the client guards its keys; unknown where the sign-in did not say, and for API keys.',
})

export const verifyBody = z
  .object({
    message: z.string().min(1).max(4_096).meta({ description: 'The EIP-4361 message, as it was signed.' }),
    signature: bytes
      .refine((text) => text.length <= 4_096, 'expected at most 2047 bytes')
      .meta({ description: 'EIP-191, 65 bytes, by the spending key.' }),
    authType: z
      .string()
      .max(64)
      .regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, 'expected a label in lower snake case')
      .optional()
      .meta({
        description: 'How the client guards its keys; what is neither of the examples counts as unknown.',
        examples: ['passkey_prf', 'wallet_pin'],
      }),
  })
  .meta({ id: 'VerifyRequest', description: 'A signed message.' })

export const session = z
  .object({
    ok: z.boolean(),
    address: authAddress,
    token: z.string().meta({ description: 'A JWT, for Authorization: Bearer.' }),
    accountId: z.string().nullable().meta({ description: 'Null until the account has been created.' }),
    keyAccessMethod,
  })
  .meta({ id: 'Session', description: 'Who signed in, and the token.' })

export const loggedOut = z
  .object({ ok: z.boolean() })
  .meta({ id: 'LoggedOut', description: 'The token is not good any more.' })

const text = (most: number) => z.string().min(1).max(most)

export const extensionBody = z
  .object({
    response_type: z.literal('code'),
    client_id: text(200),
    redirect_uri: z.url().max(2_048),
    state: text(1_024),
    code_challenge: text(128).meta({ description: 'base64url(SHA-256(code_verifier)).' }),
    code_challenge_method: z.literal('S256'),
    wallet_address: address.optional(),
  })
  .meta({
    id: 'ExtensionAuthorizationRequest',
    description: 'What the extension asks for (RFC 6749, RFC 7636).',
  })

export const extensionCode = z
  .object({
    code: z.string(),
    state: z.string(),
    account_id: z.string(),
    expires_in: z.int().meta({ description: 'Seconds.', examples: [300] }),
  })
  .meta({ id: 'ExtensionAuthorization', description: 'A code for the extension.' })

export const tokenBody = z
  .object({
    grant_type: text(64)
      .optional()
      .meta({ examples: ['authorization_code'] }),
    code: text(256),
    code_verifier: text(256),
    client_id: text(200),
    redirect_uri: text(2_048),
  })
  .meta({ id: 'OAuthTokenRequest', description: 'A code and its verifier (RFC 6749, RFC 7636).' })

export const oauthToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.', examples: [604_800] }),
    account_id: z.string(),
    auth_method: z.enum(['passkey', 'walletPin']).meta({
      id: 'AuthMethod',
      description: 'How the client guards its keys, in the words of the extension.',
    }),
    wallet_address: address.nullable(),
  })
  .meta({ id: 'OAuthToken', description: 'A token for the extension.' })
