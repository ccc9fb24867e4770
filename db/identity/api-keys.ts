import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

export type KeyScope = 'read' | 'write'
const scopes = z.array(z.enum(['read', 'write']))

export interface NewApiKey {
  id: string
  secretHash: Buffer
  accountId: string
  label: string
  scopes: readonly KeyScope[]
  expiresAt: Date | null
}

/** @returns False when there is no such account. */
export async function insertApiKey(connection: CommonQueryMethods, key: NewApiKey): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    insert into api_key (id, secret_hash, account_id, label, scopes, expires_at)
    select ${key.id}, ${sql.binary(key.secretHash)}, id, ${key.label}, ${sql.array([...key.scopes], 'text')},
      ${key.expiresAt && sql.timestamp(key.expiresAt)}
    from account where id = ${key.accountId}`)
  return rowCount === 1
}

const liveRow = z.object({
  secretHash: z.instanceof(Buffer),
  accountId: z.string(),
  authAddress: z.string(),
  scopes,
})

/** A key that may be used: not revoked, not expired, its account not disabled. */
export function findLiveKey(
  connection: CommonQueryMethods,
  id: string,
): Promise<z.output<typeof liveRow> | null> {
  return connection.maybeOne(sql.type(liveRow)`
    select secret_hash as "secretHash", account_id as "accountId", auth_address as "authAddress", scopes
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
})

/** All keys, newest first; those of one account if it is given. */
export function listApiKeys(
  connection: CommonQueryMethods,
  accountId: string | null,
): Promise<readonly z.output<typeof listedRow>[]> {
  return connection.any(sql.type(listedRow)`
    select id, account_id as "accountId", label, scopes, created_at as "createdAt", expires_at as "expiresAt",
      revoked_at as "revokedAt"
    from api_key where ${accountId}::uuid is null or account_id = ${accountId}::uuid
    order by created_at desc, id`)
}

/** @returns False when there is no such key, or it was revoked before. */
export async function revokeApiKey(connection: CommonQueryMethods, id: string): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    update api_key set revoked_at = now() where id = ${id} and revoked_at is null`)
  return rowCount === 1
}
