import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { sql } from '../../connect-database.ts'

/** What an account's erasure and export make of them. */
export const accountChangeTables = [
  byAccount('account_change', ['xact']),
  byAccount('account_change_total', ['changes']),
]

/** As {@link selectAccountVersion} selects it. */
export const accountVersion = z.object({
  changes: z.int(),
  /** When the server that counted them was started: one that takes over, or a copy that is restored, may lack some of them. */
  server: z.number(),
  /** Chain, whether it is read from its start again, and up to which block native coins were not traced; by chain. */
  chains: z.array(z.tuple([z.int(), z.boolean(), z.int().nullable()])),
})
/** Which state of an account's facts there is. */
export type AccountVersion = z.output<typeof accountVersion>

/** Whether nothing of the account changed between two versions; what chains show of everybody may have. */
export const hasSameFacts = (one: AccountVersion, other: AccountVersion): boolean =>
  one.changes === other.changes && one.server === other.server

/**
 * Which state the facts of an account are in: transfers, holdings, tags, whatever its holdings and the origins of its money follow
 * from, as one JSON object. `changes` grows by every transaction that changed any of them, whichever instance made it, so what was
 * read with an equal version of the same server is the same still. What quotes reserve, prices and descriptions of tokens are not among them.
 */
export const selectAccountVersion = (accountId: string) => sql.fragment`
  select jsonb_build_object(
    'changes', coalesce((select changes from account_change_total where account_id = ${accountId}::uuid), 0)
      + (select count(*) from account_change where account_id = ${accountId}::uuid),
    'server', extract(epoch from pg_postmaster_start_time()),
    'chains', coalesce((
      select jsonb_agg(jsonb_build_array(chain_id, state = 'resyncing', untraced_to) order by chain_id) from indexed_chain
    ), '[]'))`

/** Reads {@link selectAccountVersion}. */
export function readAccountVersion(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<AccountVersion> {
  return connection.oneFirst(sql.type(z.object({ version: accountVersion }))`
    select (${selectAccountVersion(accountId)}) as version`)
}
