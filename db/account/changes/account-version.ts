import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { sql } from '../../connect-database.ts'

/** How an account's erasure and export treat the tables. */
export const accountChangeTables = [
  byAccount('account_change', ['xact']),
  byAccount('account_change_total', ['changes']),
]

/** The JSON object of {@link selectAccountVersion}. */
export const accountVersion = z.object({
  changes: z.int(),
  /** Start time of the server that counted. A standby that takes over or a restored copy may lack some changes. */
  server: z.number(),
  /**
   * Chain, whether it is resyncing from its start, and the block up to which native coins were not traced; by chain.
   */
  chains: z.array(z.tuple([z.int(), z.boolean(), z.int().nullable()])),
})
/** Version of the facts about an account. */
export type AccountVersion = z.output<typeof accountVersion>

/** True if nothing of the account changed between two versions; chains may have changed. */
export const hasSameFacts = (one: AccountVersion, other: AccountVersion): boolean =>
  one.changes === other.changes && one.server === other.server

/**
 * Selects the version of an account's facts as one JSON object. The facts are transfers, holdings, tags, and everything
 * that decides its holdings or the origins of its money. Any transaction on any instance that changes one of them
 * increments `changes`. A result read at an equal version of the same server is still current. Reservations, prices and
 * token descriptions are not covered.
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
