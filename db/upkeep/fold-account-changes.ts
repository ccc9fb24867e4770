import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

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
