import { createHash, timingSafeEqual, randomInt } from 'node:crypto'
import type { CommonQueryMethods, DatabasePool } from 'slonik'
import type { Address } from 'viem'
import { apiKeySeal, findLiveKey, insertApiKey, lockUnsealedKey } from '../../db/identity/api-keys.ts'
import { writeSecret } from '../../db/identity/sealed-secrets.ts'
import { type Principal, type Scope, principalId } from './principal.ts'
import type { MacFailures } from './mac-failures.ts'
import type { Vault } from './vault.ts'

const PREFIX = 'sr_live_'
const ID_LENGTH = 12
/** 256 bits in base 62. */
const SECRET_LENGTH = 43
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`)

/** A secret of 256 random bits needs no slow hash. */
const hashSecret = (secret: string) => createHash('sha256').update(secret).digest()

/** True if a bearer token has the prefix of an API key. */
export const isApiKey = (token: string) => token.startsWith(PREFIX)

/**
 * Returns the principal of an API key. Null if the key is unknown, wrong, unsealed, revoked or expired, or if its
 * account is disabled.
 */
export async function authenticateApiKey(
  { database, vault, suspects }: { database: CommonQueryMethods; vault: Vault; suspects: MacFailures },
  token: string,
): Promise<Principal | null> {
  const [, id, secret] = FORM.exec(token) ?? []
  if (id === undefined || secret === undefined) return null
  const key = await findLiveKey(database, id)
  if (!key || !timingSafeEqual(hashSecret(secret), key.secretHash)) return null
  const { statement, seal: bytes, masterKeyId } = key
  const seal = bytes && masterKeyId !== null ? { bytes, masterKeyId } : null
  if (!(await vault.isCertified(statement, seal))) {
    suspects.tell(seal ? 'api-key' : 'unsealed-api-key')
    return null
  }
  return {
    kind: 'api-key',
    id: principalId(key.authAddress as Address),
    authAddress: null,
    accountId: key.accountId,
    keyAccessMethod: 'unknown',
    scopes: new Set(key.scopes),
    tokenId: id,
    expiresAt: null,
  }
}

/** Creates an API key. Only the answer has its secret part. @returns Null if there is no such account. */
export async function createApiKey(
  { database, vault }: { database: DatabasePool; vault: Vault },
  {
    accountId,
    label,
    scopes,
    expiresAt,
  }: { accountId: string; label: string; scopes: readonly Scope[]; expiresAt: Date | null },
): Promise<{ id: string; token: string } | null> {
  const [id, secret] = [randomText(ID_LENGTH), randomText(SECRET_LENGTH)]
  const secretHash = hashSecret(secret)
  const made = await database.transaction(async (transaction) => {
    const statement = await insertApiKey(transaction, { id, secretHash, accountId, label, scopes, expiresAt })
    if (statement !== null)
      await writeSecret(transaction, apiKeySeal, { key: id, ...(await vault.certify(statement)) })
    return statement !== null
  })
  return made ? { id, token: `${PREFIX}${id}_${secret}` } : null
}

/** Seals a key of an earlier version in its present state. @returns False if there is no valid unsealed key of that id. */
export async function sealApiKey(
  { database, vault }: { database: DatabasePool; vault: Vault },
  id: string,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const statement = await lockUnsealedKey(transaction, id)
    if (statement === null) return false
    await writeSecret(transaction, apiKeySeal, { key: id, ...(await vault.certify(statement)) })
    return true
  })
}

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Excludes characters that people confuse when they type. */
const LEGIBLE = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Returns random letters and digits: 5.95 bits each. */
export const randomText = (length: number) => pick(ALPHANUMERIC, length)

/** Returns random capitals and digits for people to type: 4.9 bits each. */
export const randomLegible = (length: number) => pick(LEGIBLE, length)
