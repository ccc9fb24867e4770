import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { sql } from '../../connect-database.ts'
import type { SealedColumn } from '../../sealed-column.ts'

/** How an account's erasure and export treat the table. */
export const poolSpendTable = byAccount('pool_spend', ['sealed', 'master_key_id'])

/** Rewrapped under a new master key by rewrap-keys. */
export const sealedSpend: SealedColumn = {
  table: 'pool_spend',
  key: 'id',
  bytes: 'sealed',
  about: sql.fragment`account_id || ':' || id`,
}

const spendRow = z.object({ id: z.string(), bytes: z.instanceof(Buffer), masterKeyId: z.string() })
/** A sealed spend. */
export type SpendRow = z.output<typeof spendRow>

/** The account's spend with that id, or null. */
export function findSpendRow(
  connection: CommonQueryMethods,
  accountId: string,
  id: string,
): Promise<SpendRow | null> {
  return connection.maybeOne(sql.type(spendRow)`
    select id, sealed as bytes, master_key_id as "masterKeyId" from pool_spend
    where id = ${id}::uuid and account_id = ${accountId}::uuid`)
}

/** Lists the spends of an account, in a meaningless order; at most `most`. */
export function listSpends(
  connection: CommonQueryMethods,
  accountId: string,
  most: number,
): Promise<readonly SpendRow[]> {
  return connection.any(sql.type(spendRow)`
    select id, sealed as bytes, master_key_id as "masterKeyId" from pool_spend
    where account_id = ${accountId}::uuid order by id limit ${most}`)
}

/** Writes or replaces a spend. */
export async function saveSpend(
  connection: CommonQueryMethods,
  accountId: string,
  { id, bytes, masterKeyId }: SpendRow,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into pool_spend (id, account_id, sealed, master_key_id)
    values (${id}::uuid, ${accountId}::uuid, ${sql.binary(bytes)}, ${masterKeyId})
    on conflict (id) do update set sealed = excluded.sealed, master_key_id = excluded.master_key_id
      where pool_spend.account_id = excluded.account_id`)
}

/** Like `mixBooks`: rewrites a spend together with up to 64 random others, in random order. */
export async function mixSpends(connection: DatabasePool, id: string): Promise<void> {
  await connection.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`select from pg_advisory_xact_lock(7236514991)`)
    await transaction.query(sql.typeAlias('void')`
      with start as materialized (select gen_random_uuid() as id),
      drawn as (
        (select id from pool_spend where id >= (select id from start) order by id limit 32)
        union (select id from pool_spend where id < (select id from start) order by id desc limit 32)
        union select ${id}::uuid
      ), held as materialized (
        select pool_spend.id from pool_spend join account on account.id = pool_spend.account_id
        where pool_spend.id in (select id from drawn)
        for update of pool_spend skip locked for key share of account skip locked
      ), taken as (
        delete from pool_spend where id in (select id from held) returning *
      )
      insert into pool_spend (id, account_id, sealed, master_key_id)
      select id, account_id, sealed, master_key_id from taken order by random()`)
  })
}
