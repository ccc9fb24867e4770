import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { sql } from '../../connect-database.ts'
import type { SealedColumn } from '../../sealed-column.ts'

/** What an account's erasure and export make of it. */
export const poolSpendTable = byAccount('pool_spend', ['sealed', 'master_key_id'])

/** Brought under a new master key by rewrap-keys. */
export const sealedSpend: SealedColumn = {
  table: 'pool_spend',
  key: 'id',
  bytes: 'sealed',
  about: sql.fragment`account_id || ':' || id`,
}

const spendRow = z.object({ id: z.string(), bytes: z.instanceof(Buffer), masterKeyId: z.string() })
/** A sealed spend. */
export type SpendRow = z.output<typeof spendRow>

/** The spend of that id, if it is the account's. */
export function findSpend(
  connection: CommonQueryMethods,
  accountId: string,
  id: string,
): Promise<SpendRow | null> {
  return connection.maybeOne(sql.type(spendRow)`
    select id, sealed as bytes, master_key_id as "masterKeyId" from pool_spend
    where id = ${id}::uuid and account_id = ${accountId}::uuid`)
}

/** The spends of an account in no order that means anything; `most` at most. */
export function listSpends(
  connection: CommonQueryMethods,
  accountId: string,
  most: number,
): Promise<readonly SpendRow[]> {
  return connection.any(sql.type(spendRow)`
    select id, sealed as bytes, master_key_id as "masterKeyId" from pool_spend
    where account_id = ${accountId}::uuid order by id limit ${most}`)
}

/** Writes a spend, or writes over what it was. */
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

/** Removes a spend of the account. @returns False when it has none of that id. */
export async function deleteSpend(
  connection: CommonQueryMethods,
  accountId: string,
  id: string,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    delete from pool_spend where id = ${id}::uuid and account_id = ${accountId}::uuid`)
  return rowCount === 1
}
