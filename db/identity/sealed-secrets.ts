import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

const sealedRow = z.object({ id: z.string(), bytes: z.instanceof(Buffer), masterKeyId: z.string() })
export type SealedAccountKeys = z.output<typeof sealedRow>

const sealedServerRow = sealedRow.extend({ purpose: z.enum(['token', 'hpke']) })

/** Sealed keys of accounts that are not under this master key, locked. */
export function lockOtherAccountKeys(
  transaction: CommonQueryMethods,
  newestId: string,
  limit: number,
): Promise<readonly SealedAccountKeys[]> {
  return transaction.any(sql.type(sealedRow)`
    select id, sealed_keys as bytes, master_key_id as "masterKeyId" from account
    where master_key_id <> ${newestId} order by id limit ${limit} for no key update`)
}

export async function writeAccountKeys(
  transaction: CommonQueryMethods,
  sealed: SealedAccountKeys,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update account set sealed_keys = ${sql.binary(sealed.bytes)}, master_key_id = ${sealed.masterKeyId}
    where id = ${sealed.id}`)
}

/** The server's keys that are not under this master key, locked. */
export function lockOtherServerKeys(
  transaction: CommonQueryMethods,
  newestId: string,
): Promise<readonly z.output<typeof sealedServerRow>[]> {
  return transaction.any(sql.type(sealedServerRow)`
    select id, purpose, sealed_key as bytes, master_key_id as "masterKeyId" from server_key
    where master_key_id <> ${newestId} order by id for update`)
}

export async function writeServerKey(
  transaction: CommonQueryMethods,
  sealed: SealedAccountKeys,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update server_key set sealed_key = ${sql.binary(sealed.bytes)}, master_key_id = ${sealed.masterKeyId}
    where id = ${sealed.id}`)
}
