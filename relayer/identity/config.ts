import { z } from 'zod'

const MASTER_KEY = /^(?:(?:0x)?([0-9a-f]{64})|([A-Za-z0-9+/]{43}=?))$/i

/** Checked as a whole: an error message must not show a key. */
const masterKeys = z.array(z.string()).transform((texts, context) => {
  const keys = texts.map((text) => {
    const [, hex, base64] = MASTER_KEY.exec(text.trim()) ?? []
    return hex ? Buffer.from(hex, 'hex') : Buffer.from(base64 ?? '', 'base64')
  })
  const [newest, ...older] = keys
  if (newest && keys.every((key) => key.length === 32)) return [newest, ...older] as const
  context.addIssue({ code: 'custom', message: 'is not a list of 32-byte keys in hex or base64' })
  return z.NEVER
})

const domain = z
  .string()
  .regex(
    /^(?:\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::(?:\d{1,5}|\*))?$/,
    'is no host: write app.example, or host:* for any port',
  )

const redirectUri = z.url('is no absolute address').refine((text) => !text.includes('#'), 'has a fragment')

const oauthClient = z.strictObject({
  clientId: z.string().min(1).max(200).describe('Name of the extension.'),
  redirectUris: z
    .array(redirectUri)
    .min(1)
    .max(20)
    .describe('Addresses to which it may be redirected, compared letter by letter.'),
})
/** A browser extension that may request tokens, and its redirect URIs. */
export type OauthClient = z.output<typeof oauthClient>

/** Settings of sign-in, of tokens and of keys at rest. */
export const identityConfig = z.strictObject({
  masterKeys: masterKeys
    .meta({ title: 'list: 32 bytes' })
    .optional()
    .describe(
      'Keys that wrap the keys at rest: 32 bytes each in hex or base64, the newest first. Default: ' +
        'one key, created and stored in `storage.dataDir`.',
    ),
  domains: z
    .array(domain)
    .min(1)
    .default(['localhost:*', '127.0.0.1:*', '[::1]:*'])
    .describe('Domains accepted in sign-in messages: `host`, `host:port`, or `host:*` for any port or none.'),
  issuer: z.string().min(1).max(200).default('stealth-relay').describe('`iss` of tokens.'),
  audience: z.string().min(1).max(200).default('stealth-relay-api').describe('`aud` of tokens.'),
  sessionSeconds: z.int().min(60).max(604_800).default(3_600).describe('Life of a token, in seconds.'),
  hpkeOverlapSeconds: z
    .int()
    .min(0)
    .max(31_536_000)
    .default(86_400)
    .describe("Seconds for which the server's previous encryption key (HPKE) still decrypts."),
  oauthClients: z
    .array(oauthClient)
    .max(100)
    .optional()
    .describe(
      'Extensions that may request tokens. Default: one for trials with the embedded database, none ' +
        'otherwise.',
    ),
})

/** The identity settings after parsing, defaults filled in. */
export type IdentityConfig = z.output<typeof identityConfig>

/** The extension that may request tokens without any configuration. */
export const LOCAL_OAUTH_CLIENT: OauthClient = {
  clientId: 'local-extension',
  redirectUris: ['http://localhost:4000/oauth/callback', 'http://127.0.0.1:4000/oauth/callback'],
}
