import type { Address } from 'viem'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { findAccountOf } from '../../db/identity/account-standing.ts'
import {
  consumeNonce,
  insertNonce,
  readStanding,
  revokeToken,
  purgeExpired,
} from '../../db/identity/expiring-rows.ts'
import { mayWrite } from '../../db/refuse-writes.ts'
import { authenticateApiKey, isApiKey, randomText } from './api-keys.ts'
import { authorizeExtension } from './authorize-extension.ts'
import type { IdentityConfig, OauthClient } from './config.ts'
import { exchangeCode, LONGEST_TOKEN_SECONDS } from './exchange-code.ts'
import type { Identity, SignIn, SignInRequest } from './identity.ts'
import { hpkeKeys, tokenKeys } from './key-kinds.ts'
import { openKeyMaterial } from './key-material.ts'
import { parseSignIn, checkSignIn } from './check-sign-in.ts'
import { type KeyAccessMethod, type Principal, principalId } from './principal.ts'
import { createOwnerProofs } from './prove-owner.ts'
import { openServerKeys } from './server-keys.ts'
import { createMacFailures } from './mac-failures.ts'
import { createAccessTokens, type ReadClaims } from './tokens.ts'
import type { Vault } from './vault.ts'
import { signInRefused } from './errors.ts'

const NONCE_SECONDS = 300
const NONCE_LENGTH = 24
const PURGE_INTERVAL_MS = 60_000

const ALL_SCOPES = new Set(['read', 'write'] as const)

/**
 * Opens the server's keys, creates missing ones, and starts to purge expired rows.
 *
 * @throws VaultError if the keys are under a master key that is not configured.
 *
 * @example
 * ```ts
 * const { identity, stop } = await openIdentity(parts)
 * const nonce = await identity.issueNonce(wallet.address)
 * const message = createSiweMessage({ address: wallet.address, nonce, ...about })
 * const signature = await wallet.signMessage({ message })
 * const { token } = await identity.signIn({ message, signature, authType: undefined })
 * const principal = await identity.authenticate(token) // null for a token that is not ours
 * stop()
 * ```
 */
export async function openIdentity(parts: {
  database: DatabasePool
  vault: Vault
  config: IdentityConfig
  clients: readonly OauthClient[]
  logger: Logger
}): Promise<{ identity: Identity; stop(): void }> {
  const { database, vault, config, clients, logger } = parts
  const overlapSeconds = { token: LONGEST_TOKEN_SECONDS, hpke: config.hpkeOverlapSeconds }
  const stored = { database, vault }
  const signingKeys = await openServerKeys(tokenKeys, { ...stored, overlapSeconds: overlapSeconds.token })
  const encryptionKeys = await openServerKeys(hpkeKeys, { ...stored, overlapSeconds: overlapSeconds.hpke })
  const tokens = createAccessTokens(signingKeys, config)
  const suspects = createMacFailures(logger)
  const proveOwner = createOwnerProofs({ database, vault, suspects })

  const stop = startPurging(database, overlapSeconds, logger)

  async function signIn({ message: text, signature, authType }: SignInRequest): Promise<SignIn> {
    const message = parseSignIn(text)
    await checkSignIn(message, { text, signature, domains: config.domains })
    const authAddress = message.address
    // Last, so that only the signer can use a nonce up.
    if (!(await consumeNonce(database, { siweNonce: message.siweNonce, authAddress })))
      throw signInRefused('The nonce is unknown, used, expired, or of another address')
    const found = await findAccountOf(database, authAddress)
    const account = found && (await proveOwner(found.accountId, authAddress)) ? found : null
    if (account?.disabled) throw signInRefused('This account has been disabled')
    const keyAccessMethod = readAccessMethod(authType)
    const claims = { kind: 'session', authAddress, keyAccessMethod, tokenId: randomUUID() } as const
    const token = await tokens.issue(claims, config.sessionSeconds)
    return { authAddress, token, accountId: account?.accountId ?? null, keyAccessMethod }
  }

  async function authenticate(token: string): Promise<Principal | null> {
    if (isApiKey(token)) return authenticateApiKey({ database, vault, suspects }, token)
    const claims = await tokens.read(token)
    if (!claims) return null
    const { accountId, disabled, revoked } = await readStanding(database, claims)
    if (disabled || revoked) return null
    const isTheirs = accountId !== null && (await proveOwner(accountId, claims.authAddress))
    return describePrincipal(claims, isTheirs ? accountId : null)
  }

  const identity: Identity = {
    hpkePublicKey: async () => (await encryptionKeys.current()).publicKey.toString('hex'),
    jwks: async () => ({ keys: (await signingKeys.all()).map(({ jwk }) => ({ ...jwk })) }),
    issueNonce: (authAddress) => issueNonce(database, authAddress),
    signIn,
    authenticate,
    async signOut({ kind, tokenId }) {
      // Only the operator revokes an API key.
      if (kind === 'api-key') return
      await revokeToken(database, { tokenId, lifetimeSeconds: LONGEST_TOKEN_SECONDS })
    },
    authorizeExtension: (principal, request) =>
      authorizeExtension({ database, vault, clients }, principal, request),
    exchangeCode: (exchange) => exchangeCode({ database, vault, tokens, clients, suspects }, exchange),
    openKeyMaterial: (sealed) => openKeyMaterial(encryptionKeys, sealed),
  }
  return { identity, stop }
}

async function issueNonce(database: DatabasePool, authAddress: Address): Promise<string> {
  const siweNonce = randomText(NONCE_LENGTH)
  // The API issues nonces by GET, whose work is otherwise read-only.
  await mayWrite(() => insertNonce(database, { siweNonce, authAddress, ttlSeconds: NONCE_SECONDS }))
  return siweNonce
}

/** Deletes expired rows every minute. @returns A function that stops it. */
function startPurging(
  database: DatabasePool,
  overlapSeconds: Parameters<typeof purgeExpired>[1],
  logger: Logger,
): () => void {
  const purge = () =>
    purgeExpired(database, overlapSeconds).catch((error: unknown) =>
      logger.warn({ err: error }, 'what has expired could not be deleted'),
    )
  const purging = setInterval(() => void purge(), PURGE_INTERVAL_MS)
  purging.unref()
  return () => clearInterval(purging)
}

function describePrincipal(claims: ReadClaims, accountId: string | null): Principal {
  const { kind, authAddress, keyAccessMethod, tokenId, expiresAt } = claims
  return {
    kind,
    id: principalId(authAddress),
    authAddress,
    accountId,
    keyAccessMethod,
    scopes: ALL_SCOPES,
    tokenId,
    expiresAt,
  }
}

function readAccessMethod(authType: string | undefined): KeyAccessMethod {
  return authType === 'passkey_prf' || authType === 'wallet_pin' ? authType : 'unknown'
}
