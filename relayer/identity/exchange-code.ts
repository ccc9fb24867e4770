import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import { consumeOauthCode, lockOauthCode, type OauthCodeRow } from '../../db/identity/oauth-codes.ts'
import { revokeToken } from '../../db/identity/expiring-rows.ts'
import type { OauthClient } from './config.ts'
import { describeCode, hashCode, walletOwner } from './authorize-extension.ts'
import type { CodeExchange, ExtensionToken } from './identity.ts'
import type { KeyAccessMethod } from './principal.ts'
import type { MacFailures } from './mac-failures.ts'
import type { AccessTokens } from './tokens.ts'
import type { Vault } from './vault.ts'
import { invalidClient, invalidGrant, unsupportedGrantType } from './errors.ts'

/** Lifetime of an extension's token in seconds: a week. */
const EXTENSION_TOKEN_SECONDS = 604_800
/**
 * The longest lifetime of a token, and so of keys and revocations. The extra seconds cover a revocation before the
 * token is signed.
 */
export const LONGEST_TOKEN_SECONDS = EXTENSION_TOKEN_SECONDS + 60

/** The form of RFC 7636, 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * Exchanges a code for a token, once. A second use yields nothing and revokes the first token, because one of the two
 * callers stole the code (RFC 6749, 4.1.2).
 *
 * @throws ServiceError with an OAuth code.
 */
export async function exchangeCode(
  {
    database,
    vault,
    tokens,
    clients,
    suspects,
  }: {
    database: DatabasePool
    vault: Vault
    tokens: AccessTokens
    clients: readonly OauthClient[]
    suspects: MacFailures
  },
  exchange: CodeExchange,
): Promise<ExtensionToken> {
  if (exchange.grantType !== undefined && exchange.grantType !== 'authorization_code')
    throw unsupportedGrantType()
  if (!clients.some(({ clientId }) => clientId === exchange.clientId)) throw invalidClient()
  const codeHash = hashCode(exchange.code)

  const given = await database.transaction(async (transaction) => {
    const code = await lockOauthCode(transaction, codeHash)
    if (code?.tokenId) {
      await revokeToken(transaction, { tokenId: code.tokenId, lifetimeSeconds: LONGEST_TOKEN_SECONDS })
      return null
    }
    if (!code || !matches(code, exchange)) return null
    if (!(await isOurs(code, codeHash, vault))) {
      suspects.tell('oauth-code')
      return null
    }
    const tokenId = randomUUID()
    await consumeOauthCode(transaction, { codeHash, tokenId, tokenSeconds: LONGEST_TOKEN_SECONDS })
    return { code, tokenId }
  })
  // One error for every failed check, so that it does not guide an attacker.
  if (!given) throw invalidGrant()
  const { code, tokenId } = given
  const keyAccessMethod = code.keyAccessMethod as KeyAccessMethod
  const claims = {
    kind: 'extension',
    authAddress: code.authAddress as Address,
    keyAccessMethod,
    tokenId,
  } as const
  return {
    accessToken: await tokens.issue(claims, EXTENSION_TOKEN_SECONDS),
    expiresIn: EXTENSION_TOKEN_SECONDS,
    accountId: code.accountId,
    authMethod: keyAccessMethod === 'wallet_pin' ? 'walletPin' : 'passkey',
    walletAddress: await openWallet(code, codeHash, vault),
  }
}

function matches(code: OauthCodeRow, exchange: CodeExchange): boolean {
  if (code.expired || code.disabled) return false
  if (code.clientId !== exchange.clientId || code.redirectUri !== exchange.redirectUri) return false
  if (!VERIFIER.test(exchange.codeVerifier)) return false
  const challenge = createHash('sha256').update(exchange.codeVerifier).digest()
  const expected = Buffer.from(code.codeChallenge, 'base64url')
  return expected.length === challenge.length && timingSafeEqual(expected, challenge)
}

async function isOurs(code: OauthCodeRow, codeHash: Buffer, vault: Vault): Promise<boolean> {
  const { seal, masterKeyId } = code
  if (!seal || masterKeyId === null) return false
  return vault.isCertified(describeCode({ ...code, codeHash }), { bytes: seal, masterKeyId })
}

async function openWallet(
  { sealedWallet: bytes, masterKeyId }: OauthCodeRow,
  codeHash: Buffer,
  vault: Vault,
): Promise<Address | null> {
  if (!bytes || masterKeyId === null) return null
  const address = await vault.open(walletOwner(codeHash), { bytes, masterKeyId })
  return Buffer.from(address).toString() as Address
}
