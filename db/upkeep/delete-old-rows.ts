import type { CommonQueryMethods } from 'slonik'
import { sql } from '../connect-database.ts'

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
