import { randomBytes, createHash } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { insertOauthCode, type NewOauthCode } from '../../db/identity/oauth-codes.ts'
import type { OauthClient } from './config.ts'
import type { ExtensionRequest } from './identity.ts'
import type { Principal } from './principal.ts'
import type { Vault } from './vault.ts'
import { accountRequired, invalidRequest, signInRequired, unauthorizedClient } from './errors.ts'

/** Base64url of a SHA-256. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/**
 * Creates a code that the extension may exchange once, within 300 seconds.
 *
 * @throws ServiceError with an OAuth code; `forbidden` without a session of an account.
 */
export async function authorizeExtension(
  {
    database,
    vault,
    clients,
  }: { database: CommonQueryMethods; vault: Vault; clients: readonly OauthClient[] },
  principal: Principal,
  request: ExtensionRequest,
): Promise<{ code: string; accountId: string }> {
  const { clientId, redirectUri, codeChallenge, walletAddress } = request
  if (principal.kind !== 'session') throw signInRequired()
  const { accountId, keyAccessMethod } = principal
  if (accountId === null) throw accountRequired()
  const client = clients.find((known) => known.clientId === clientId)
  if (!client) throw unauthorizedClient()
  if (!client.redirectUris.includes(redirectUri))
    throw invalidRequest('redirect_uri is not one that the client has registered')
  if (!CHALLENGE.test(codeChallenge)) throw invalidRequest('code_challenge is not base64url of a SHA-256')
  const code = randomBytes(32).toString('base64url')
  const codeHash = hashCode(code)
  const wallet = walletAddress && (await vault.seal(walletOwner(codeHash), Buffer.from(walletAddress)))
  const grant = { codeHash, accountId, clientId, redirectUri, codeChallenge, keyAccessMethod }
  const { bytes: seal, masterKeyId } = await vault.certify(describeCode(grant))
  await insertOauthCode(database, {
    ...grant,
    sealedWallet: wallet ? wallet.bytes : null,
    seal,
    masterKeyId,
    ttlSeconds: EXTENSION_CODE_SECONDS,
  })
  return { code, accountId }
}

/** Lifetime of a code, in seconds. */
export const EXTENSION_CODE_SECONDS = 300

/** Hashes a code; only the hash is stored. */
export const hashCode = (code: string) => createHash('sha256').update(code).digest()

/** Returns the statement that a code's seal certifies: the account, the client and the conditions of the exchange. */
export const describeCode = (
  code: Omit<NewOauthCode, 'sealedWallet' | 'seal' | 'masterKeyId' | 'ttlSeconds'>,
) =>
  JSON.stringify([
    'oauth-code',
    code.codeHash.toString('hex'),
    code.accountId,
    code.clientId,
    code.redirectUri,
    code.codeChallenge,
    code.keyAccessMethod,
  ])

/** Returns the owner for which the wallet's address is sealed beside a code. */
export const walletOwner = (codeHash: Buffer) => `oauth-code:${codeHash.toString('hex')}`
