import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import type { SealedColumn } from '../sealed-column.ts'

/** Rewrapped under a new master key by rewrap-keys. */
export const sealedServerKey: SealedColumn = {
  table: 'server_key',
  key: 'id',
  bytes: 'sealed_key',
  about: sql.fragment`purpose || ':' || id`,
}

/** Purpose of a server key. `transient` keys seal short-lived values in the shared state. */
export type KeyPurpose = 'token' | 'hpke' | 'quote' | 'transient'

const keyRow = z.object({
  id: z.string(),
  sealedKey: z.instanceof(Buffer),
  masterKeyId: z.string(),
  retiredAt: z.date().nullable(),
})
/** A sealed key; `retiredAt` is null for the current one. */
export type ServerKeyRow = z.output<typeof keyRow>

/** A key to be stored, sealed already. */
export interface NewServerKey {
  id: string
  purpose: KeyPurpose
  sealedKey: Buffer
  masterKeyId: string
}

/** Lists the current key, then those retired less than `overlapSeconds` ago, newest first. */
export function listServerKeys(
  connection: CommonQueryMethods,
  purpose: KeyPurpose,
  overlapSeconds: number,
): Promise<readonly ServerKeyRow[]> {
  return connection.any(sql.type(keyRow)`
    select id, sealed_key as "sealedKey", master_key_id as "masterKeyId", retired_at as "retiredAt" from server_key
    where purpose = ${purpose} and (retired_at is null or retired_at > now() - ${overlapSeconds} * interval '1 s')
    order by retired_at desc nulls first`)
}

/** Stores the first key of a purpose. Of instances that start together, one key wins. */
export async function insertFirstKey(connection: CommonQueryMethods, key: NewServerKey): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into server_key (id, purpose, sealed_key, master_key_id)
    values (${key.id}, ${key.purpose}, ${sql.binary(key.sealedKey)}, ${key.masterKeyId})
    on conflict (purpose) where retired_at is null do nothing`)
}

/** Retires the current key of a purpose, and stores its successor. */
export async function replaceServerKey(pool: DatabasePool, key: NewServerKey): Promise<void> {
  await pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`
      update server_key set retired_at = now() where purpose = ${key.purpose} and retired_at is null`)
    await transaction.query(sql.typeAlias('void')`
      insert into server_key (id, purpose, sealed_key, master_key_id)
      values (${key.id}, ${key.purpose}, ${sql.binary(key.sealedKey)}, ${key.masterKeyId})`)
  })
}
