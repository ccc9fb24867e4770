import type { CommonQueryMethods } from 'slonik'
import { sql } from './connect-database.ts'
import { z } from 'zod'

/** Batch size and least age of a deletion. */
export interface Deletion {
  most: number
  days: number
}

/**
 * Condition on a row of `quote`: its precommitment was deposited, in whatever way. The quote then proves that an index
 * of the account is used up.
 */
export const isDeposited = sql.fragment`exists (
  select from pool_conversion as conversion join pool_event as deposit
    on deposit.chain_id = conversion.chain_id and deposit.precommitment = conversion.precommitment
      and deposit.kind = 'deposit'
  where conversion.quote_id = quote.id)`

/**
 * Deletes quotes that ended unsubmitted long ago, with their reservations. They moved nothing, and stored amounts only.
 * Skips quotes that others have locked, and quotes of accounts that are being erased. A quote whose precommitment was
 * deposited otherwise stays: it proves that an index of the account is used up.
 *
 * @returns The number of deleted quotes.
 */
export async function deleteLapsedQuotes(
  connection: CommonQueryMethods,
  { most, days }: Deletion,
): Promise<number> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    delete from quote where id = any(array(
      select quote.id from quote join account on account.id = quote.account_id
      where status in ('unlocked', 'expired', 'replaced') and ended_at < now() - ${days} * interval '1 day'
        and not ${isDeposited}
      order by ended_at limit ${most} for update of quote skip locked for key share of account skip locked))`)
  return rowCount
}

/**
 * Deletes the signed forms of transactions that were settled long ago. The transaction keeps hash, block, fee and gas
 * of the mined form; the books keep its income and cost.
 *
 * @returns The number of deleted forms.
 */
export async function deleteOldAttempts(
  connection: CommonQueryMethods,
  { most, days }: Deletion,
): Promise<number> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    -- Its age once more: one that serves a new transaction since then is found again by its hash.
    delete from outbound_attempt
    where created_at < now() - ${days} * interval '1 day' and hash = any(array(
      select hash from outbound_attempt join outbound_tx on outbound_tx.id = outbound_id
      where outbound_attempt.created_at < now() - ${days} * interval '1 day'
        and settled_at < now() - ${days} * interval '1 day'
      order by outbound_attempt.created_at limit ${most}))`)
  return rowCount
}

/** Least rows that must have changed: the planner's guesses about smaller tables do no harm. */
const LEAST_ROWS = 200

/**
 * Analyses the table that changed most since its last analysis, if the changed rows are at least as many as it then
 * had. A young service grows from nothing to thousands of rows before it reaches autovacuum's thresholds. Plans made
 * for an empty table then read all of them, for each row of another table.
 *
 * @returns The table's name; null when no table has grown so much.
 */
export async function analyzeGrown(connection: CommonQueryMethods): Promise<string | null> {
  const name = await connection.maybeOneFirst(sql.type(z.object({ relname: z.string() }))`
    select seen.relname from pg_stat_user_tables as seen join pg_class on pg_class.oid = seen.relid
    where seen.schemaname = current_schema() and n_mod_since_analyze >= greatest(reltuples::float8, ${LEAST_ROWS})
      and pg_has_role(pg_class.relowner, 'usage')
    order by n_mod_since_analyze desc limit 1`)
  // A table that another instance is analysing is skipped.
  if (name !== null)
    await connection.query(sql.typeAlias('void')`analyze (skip_locked) ${sql.identifier([name])}`)
  return name
}

/**
 * Folds at most `most` rows of `account_change` into the totals of their accounts, and deletes those of deleted
 * accounts.
 *
 * @returns The number of folded rows.
 */
export async function foldAccountChanges(connection: CommonQueryMethods, most: number): Promise<number> {
  const { folded } = await connection.one(sql.type(z.object({ folded: z.int() }))`
    with taken as (
      select account_id, xact from account_change order by account_id, xact limit ${most} for update skip locked
    ), folded as (
      delete from account_change as change using taken
      where change.account_id = taken.account_id and change.xact = taken.xact
      returning change.account_id
    ), added as (
      insert into account_change_total as total (account_id, changes)
      select account_id, count(*) from folded where exists (select from account where account.id = account_id)
      group by account_id order by account_id
      on conflict (account_id) do update set changes = total.changes + excluded.changes
    )
    select count(*)::int4 as folded from folded`)
  return folded
}

/**
 * Adds bookings and ended rows to the totals (`functions/upkeep/fold_totals.sql`), at most `most` rows of each book.
 * Rows of the last `marginMs`, and rows that running transactions may still write, wait. One instance runs it at a
 * time.
 *
 * @returns True if there may be more.
 */
export function foldTotals(
  connection: CommonQueryMethods,
  { most, marginMs }: { most: number; marginMs: number },
): Promise<boolean> {
  return connection.oneFirst(sql.type(z.object({ more: z.boolean() }))`
    select fold_totals(${most}, ${marginMs} * interval '1 ms') as more`)
}
