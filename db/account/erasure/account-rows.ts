import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import type { AccountTable } from '../../account-table.ts'

const lockedRow = z.object({ underWay: z.int() })

/**
 * Locks an account, its orders and funds, and all chains, so that nothing is added to it until the transaction ends.
 * @returns The number of its pending quotes; null when there is no such account.
 */
export async function lockForErasure(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<number | null> {
  // Chains first: the indexer's writes lock their chain before an account, and another order could deadlock.
  await connection.query(sql.typeAlias('void')`select from indexed_chain order by chain_id for share`)
  const isThere = await connection.exists(sql.typeAlias('void')`
    select from account where id = ${accountId} for update`)
  if (!isThere) return null
  // Followers lock orders in this order as well.
  for (const table of ['bridge_order', 'cash_order'])
    await connection.query(sql.typeAlias('void')`
      select from ${sql.identifier([table])} where account_id = ${accountId} order by created_at, quote_id for update`)
  // Releases of reserved funds lock these rows before the reservations, by address: so does this.
  await connection.query(sql.typeAlias('void')`
    select from locked_funds where owner_account_id = ${accountId} and amount > 0
    order by address, chain_id, token for update`)
  // A statement of its own sees the quotes that were committed while the ones above waited for locks.
  const { underWay } = await connection.one(sql.type(lockedRow)`
    select count(*)::int4 as "underWay" from quote
    where account_id = ${accountId} and status in ('locked', 'submitted')`)
  return underWay
}

/** Deletes an account's rows from these tables, one table after the other. The account must be locked. */
export async function eraseAccountRows(
  connection: CommonQueryMethods,
  accountId: string,
  tables: readonly AccountTable[],
): Promise<void> {
  for (const { table, own, shared, kept } of tables) {
    if (!own || kept !== undefined) continue
    const unshared = shared ? sql.fragment`and not ${shared(accountId)}` : sql.fragment``
    await connection.query(sql.typeAlias('void')`
      delete from ${sql.identifier([table])} where ${own(accountId)} ${unshared}`)
  }
}

const exportedRow = z.object({ row: z.record(z.string(), z.unknown()) })

/**
 * Reads an account's rows by table, without secrets. Numbers become decimal strings, because JSON numbers lose
 * precision.
 */
export async function readAccountRows(
  connection: CommonQueryMethods,
  accountId: string,
  tables: readonly AccountTable[],
): Promise<Record<string, readonly Record<string, unknown>[]>> {
  const found: Record<string, readonly Record<string, unknown>[]> = {}
  for (const { table, own, omit = [] } of tables) {
    if (!own) continue
    const rows = await connection.any(sql.type(exportedRow)`
      select (
        select jsonb_object_agg(key,
          case when jsonb_typeof(value) = 'number' then to_jsonb(value #>> '{}') else value end)
        from jsonb_each(to_jsonb(exported) - ${sql.array(omit, 'text')})
      ) as row
      from ${sql.identifier([table])} as exported where ${own(accountId)}`)
    if (rows.length > 0) found[table] = rows.map(({ row }) => row)
  }
  return found
}
