import { z } from 'zod'
import { address, base64Text, bytes } from '../define/scalars.ts'
import { described, parameters, shape } from '../define/shape.ts'

export const hpkeKey = shape('HpkePublicKey', 'The key to encrypt key material with.', {
  publicKey: described(z.string(), 'The X25519 key: 32 bytes in hex, without 0x.'),
  publicKeyBase64: described(base64Text, 'The same 32 bytes in base64.'),
  format: described(z.literal('hex'), 'Encoding of `publicKey`: always `hex`.'),
  kem: described(z.literal('X25519-HKDF-SHA256'), 'Key encapsulation of the HPKE suite (RFC 9180).'),
  aead: described(z.literal('AES-128-GCM'), 'Encryption of the HPKE suite (RFC 9180).'),
})

const jwk = shape('JsonWebKey', 'A public key (RFC 7517).', {
  kty: described(z.string(), 'Key type, for example `EC`.'),
  crv: described(z.string(), 'Elliptic curve, for example `P-256`.'),
  x: described(z.string(), 'x coordinate of the point, base64url.'),
  y: described(z.string(), 'y coordinate of the point, base64url.'),
  kid: described(z.string(), 'Id of the key, which the header of a token names.'),
  alg: described(z.string(), 'Signature algorithm, for example `ES256`.'),
  use: described(z.string(), 'Purpose of the key: `sig`, to sign.'),
})

export const jwks = shape('JsonWebKeySet', 'The keys that sign tokens (RFC 7517).', {
  keys: described(z.array(jwk), 'The current key first, then those of tokens that are still good.'),
})

const authAddress = described(address, 'Address of the spending key, not that of the connected wallet.')

export const nonceQuery = parameters({ address: authAddress })

export const siweNonce = z.string().meta({ examples: ['mK3qZ0pT9sWf2LxB7vNc1RyD'] })

export const keyAccessMethod = described(
  z.enum(['passkey_prf', 'wallet_pin', 'unknown']),
  'How the client guards its keys; unknown where the sign-in did not say, and for API keys.',
  { id: 'KeyAccessMethod' },
)

export const verifyBody = shape('VerifyRequest', 'A signed message.', {
  message: described(z.string().min(1).max(4_096), 'The EIP-4361 message, as it was signed.'),
  signature: described(
    bytes.refine((text) => text.length <= 4_096, 'expected at most 2047 bytes'),
    'EIP-191 signature of `message` by the spending key: 65 bytes.',
  ),
  authType: described(
    z
      .string()
      .max(64)
      .regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, 'expected a label in lower snake case')
      .optional(),
    'How the client guards its keys; any other value counts as unknown.',
    { examples: ['passkey_prf', 'wallet_pin'] },
  ),
})

export const session = shape('Session', 'The signed-in address, and the token.', {
  ok: described(z.boolean(), 'Always true: a failure is answered as an error.'),
  address: authAddress,
  token: described(z.string(), 'A JWT, for `Authorization: Bearer`.'),
  accountId: described(z.string().nullable(), 'Id of the account; null until it has been created.'),
  keyAccessMethod,
})

export const loggedOut = shape('LoggedOut', 'The token is not good any more.', {
  ok: described(z.boolean(), 'Always true, also without a token.'),
})

const text = (most: number) => z.string().min(1).max(most)

export const extensionBody = shape(
  'ExtensionAuthorizationRequest',
  'The extension’s request (RFC 6749, RFC 7636).',
  {
    response_type: described(z.literal('code'), 'OAuth response type: always `code`.'),
    client_id: described(text(200), 'Id under which the operator registered the extension.'),
    redirect_uri: described(
      z.url().max(2_048),
      'URL that receives the code; must be registered letter by letter.',
    ),
    state: described(text(1_024), 'Any text; the answer carries it back unchanged.'),
    code_challenge: described(text(128), 'PKCE challenge: base64url(SHA-256(code_verifier)).'),
    code_challenge_method: described(z.literal('S256'), 'PKCE challenge method: always `S256`.'),
    wallet_address: described(
      address.optional(),
      'Address of the connected wallet; the answer to the exchange carries it.',
    ),
  },
)

export const extensionCode = shape('ExtensionAuthorization', 'A code for the extension.', {
  code: described(z.string(), 'To be exchanged at `/v1/oauth/token`, once.'),
  state: described(z.string(), '`state` of the request, unchanged.'),
  account_id: described(z.string(), 'Id of the account that the code lets in to.'),
  expires_in: described(z.int(), 'Seconds until the code expires.', { examples: [300] }),
})

export const tokenBody = shape('OAuthTokenRequest', 'A code and its verifier (RFC 6749, RFC 7636).', {
  grant_type: described(text(64).optional(), 'OAuth grant type: `authorization_code`, also when left out.', {
    examples: ['authorization_code'],
  }),
  code: described(text(256), 'The code that the extension was given.'),
  code_verifier: described(text(256), 'The text that `code_challenge` is the hash of.'),
  client_id: described(text(200), 'Id under which the operator registered the extension.'),
  redirect_uri: described(text(2_048), '`redirect_uri` of the request for the code.'),
})

export const oauthToken = shape('OAuthToken', 'A token for the extension.', {
  access_token: described(z.string(), 'A token, for `Authorization: Bearer`.'),
  token_type: described(z.literal('Bearer'), 'OAuth token type: always `Bearer`.'),
  expires_in: described(z.int(), 'Seconds until the token expires.', { examples: [604_800] }),
  account_id: described(z.string(), 'Id of the account that the token is for.'),
  auth_method: described(
    z.enum(['passkey', 'walletPin']),
    'How the client guards its keys, in the words of the extension.',
    { id: 'AuthMethod' },
  ),
  wallet_address: described(
    address.nullable(),
    '`wallet_address` of the request for the code; null when it named none.',
  ),
})
