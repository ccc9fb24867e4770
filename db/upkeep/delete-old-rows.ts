import type { CommonQueryMethods } from 'slonik'
import { sql } from '../connect-database.ts'

/** How many rows are deleted at once, and how old they are at least. */
export interface Deletion {
  most: number
  days: number
}

/**
 * Whether the precommitment of a row of `quote` was deposited, by whatever way: then it tells which index of the account is
 * used up.
 */
export const isDeposited = sql.fragment`exists (
  select from pool_conversion as conversion join pool_event as deposit
    on deposit.chain_id = conversion.chain_id and deposit.precommitment = conversion.precommitment
      and deposit.kind = 'deposit'
  where conversion.quote_id = quote.id)`

/**
 * Deletes quotes that ended long ago without being submitted, with what they had reserved. They moved nothing, and kept amounts
 * only. Those that others have locked are left for the next time, as are those of accounts that are being erased. One whose
 * precommitment was deposited by another way stays: it tells which index of the account is used up.
 *
 * @returns How many.
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
 * Deletes the signed forms of transactions that were settled long ago. Hash, block, fee and gas of the one that was mined stay
 * with the transaction, and what it brought and cost with the books.
 *
 * @returns How many.
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
