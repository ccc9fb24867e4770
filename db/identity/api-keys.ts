import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import { byAccount } from '../account-table.ts'
import type { SealedColumn } from '../sealed-column.ts'

/** How an account's erasure and export treat the table. */
export const apiKeyTable = byAccount('api_key', ['secret_hash', 'seal', 'master_key_id'])

/** Permission of an API key: `read` covers queries, `write` the operations that change something. */
export type KeyScope = 'read' | 'write'
const scopes = z.array(z.enum(['read', 'write']))

/** An API key to be stored. Only the hash of its secret is stored; `expiresAt` null means that it does not expire. */
export interface NewApiKey {
  id: string
  secretHash: Buffer
  accountId: string
  label: string
  scopes: readonly KeyScope[]
  expiresAt: Date | null
}

/** The text that a key's seal covers: id, secret, account, scopes and expiry. */
const apiKeyStatement = sql.fragment`jsonb_build_array('api-key', api_key.id, encode(secret_hash, 'hex'),
  account_id, scopes, extract(epoch from expires_at)::text)::text`

/** Rewrapped under a new master key by rewrap-keys. */
export const apiKeySeal: SealedColumn = {
  table: 'api_key',
  key: 'id',
  bytes: 'seal',
  about: apiKeyStatement,
}

/** Writes a key, which is valid once it is sealed. @returns The text to seal; null when there is no such account. */
export function insertApiKey(connection: CommonQueryMethods, key: NewApiKey): Promise<string | null> {
  return connection.maybeOneFirst(sql.type(z.object({ statement: z.string() }))`
    insert into api_key (id, secret_hash, account_id, label, scopes, expires_at)
    select ${key.id}, ${sql.binary(key.secretHash)}, id, ${key.label}, ${sql.array([...key.scopes], 'text')},
      ${key.expiresAt && sql.timestamp(key.expiresAt)}
    from account where id = ${key.accountId}
    returning ${apiKeyStatement} as statement`)
}

/** Returns the text to seal of a key without a seal, as earlier versions wrote it; locked until the transaction ends. */
export function lockUnsealedKey(transaction: CommonQueryMethods, id: string): Promise<string | null> {
  return transaction.maybeOneFirst(sql.type(z.object({ statement: z.string() }))`
    select ${apiKeyStatement} as statement from api_key
    where id = ${id} and seal is null and revoked_at is null for update`)
}

const liveRow = z.object({
  secretHash: z.instanceof(Buffer),
  accountId: z.string(),
  authAddress: z.string(),
  scopes,
  statement: z.string(),
  seal: z.instanceof(Buffer).nullable(),
  masterKeyId: z.string().nullable(),
})

/** Finds a key that is valid if its seal is: not revoked, not expired, its account not disabled. */
export function findLiveKey(
  connection: CommonQueryMethods,
  id: string,
): Promise<z.output<typeof liveRow> | null> {
  return connection.maybeOne(sql.type(liveRow)`
    select secret_hash as "secretHash", account_id as "accountId", auth_address as "authAddress", scopes,
      ${apiKeyStatement} as statement, seal, api_key.master_key_id as "masterKeyId"
    from api_key join account on account.id = account_id
    where api_key.id = ${id} and revoked_at is null and (expires_at is null or expires_at > now())
      and disabled_at is null`)
}

const listedRow = z.object({
  id: z.string(),
  accountId: z.string(),
  label: z.string(),
  scopes,
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
  revokedAt: z.date().nullable(),
  hasSeal: z.boolean(),
})

/** Lists keys of one account, or of all, newest first. */
export function listApiKeys(
  connection: CommonQueryMethods,
  accountId: string | null,
): Promise<readonly z.output<typeof listedRow>[]> {
  return connection.any(sql.type(listedRow)`
    select id, account_id as "accountId", label, scopes, created_at as "createdAt", expires_at as "expiresAt",
      revoked_at as "revokedAt", seal is not null as "hasSeal"
    from api_key where ${accountId}::uuid is null or account_id = ${accountId}::uuid
    order by created_at desc, id`)
}

/**
 * Revokes a key and deletes its seal, so that a writer of the database cannot restore it.
 *
 * @returns False when there is no such key, or it was revoked before.
 */
export async function revokeApiKey(connection: CommonQueryMethods, id: string): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    update api_key set revoked_at = now(), seal = null, master_key_id = null where id = ${id} and revoked_at is null`)
  return rowCount === 1
}
