import { createHash, timingSafeEqual } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { findLiveKey, insertApiKey } from '../../db/identity/api-keys.ts'
import { principalId } from './principal-id.ts'
import type { Principal, Scope } from './principal.ts'
import { randomText } from './random-text.ts'

const PREFIX = 'sr_live_'
const ID_LENGTH = 12
/** 256 bits. */
const SECRET_LENGTH = 43
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`)

/** A secret of 256 random bits needs no slow hash. */
const hashSecret = (secret: string) => createHash('sha256').update(secret).digest()

/** Whether a bearer token claims to be an API key. */
export const isApiKey = (token: string) => token.startsWith(PREFIX)

/** Who an API key speaks for; null when it is unknown, wrong, revoked, expired, or its account is disabled. */
export async function authenticateApiKey(
  database: CommonQueryMethods,
  token: string,
): Promise<Principal | null> {
  const [, id, secret] = FORM.exec(token) ?? []
  if (id === undefined || secret === undefined) return null
  const key = await findLiveKey(database, id)
  if (!key || !timingSafeEqual(hashSecret(secret), key.secretHash)) return null
  return {
    kind: 'api-key',
    id: principalId(key.authAddress as Address),
    authAddress: null,
    accountId: key.accountId,
    keyAccessMethod: 'unknown',
    scopes: new Set(key.scopes),
    tokenId: id,
  }
}

/** Makes an API key. Its secret part is nowhere else afterwards. @returns Null when there is no such account. */
export async function createApiKey(
  database: CommonQueryMethods,
  {
    accountId,
    label,
    scopes,
    expiresAt,
  }: { accountId: string; label: string; scopes: readonly Scope[]; expiresAt: Date | null },
): Promise<{ id: string; token: string } | null> {
  const [id, secret] = [randomText(ID_LENGTH), randomText(SECRET_LENGTH)]
  const secretHash = hashSecret(secret)
  const made = await insertApiKey(database, { id, secretHash, accountId, label, scopes, expiresAt })
  return made ? { id, token: `${PREFIX}${id}_${secret}` } : null
}
