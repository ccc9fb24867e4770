import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const accountFeatureTable = byAccount('account_feature')

/** `unknown`: there is no such account. */
export type FeatureChange = 'changed' | 'unchanged' | 'unknown'

const change = z.object({ change: z.enum(['changed', 'unchanged', 'unknown']) })

/** Switches a feature on for an account. */
export function grantFeature(
  connection: CommonQueryMethods,
  accountId: string,
  feature: string,
): Promise<FeatureChange> {
  return connection.oneFirst(sql.type(change)`
    with granted as (
      insert into account_feature (account_id, feature) select id, ${feature} from account where id = ${accountId}::uuid
      on conflict do nothing returning 1
    )
    select case when exists (select from granted) then 'changed'
      when exists (select from account where id = ${accountId}::uuid) then 'unchanged' else 'unknown' end as change`)
}

/** Switches a feature off for an account. */
export function revokeFeature(
  connection: CommonQueryMethods,
  accountId: string,
  feature: string,
): Promise<FeatureChange> {
  return connection.oneFirst(sql.type(change)`
    with revoked as (
      delete from account_feature where account_id = ${accountId}::uuid and feature = ${feature} returning 1
    )
    select case when exists (select from revoked) then 'changed'
      when exists (select from account where id = ${accountId}::uuid) then 'unchanged' else 'unknown' end as change`)
}

const featureRow = z.object({ accountId: z.string(), feature: z.string() })

/** Lists the features of one account, or of all. */
export function listFeatures(
  connection: CommonQueryMethods,
  accountId: string | null,
): Promise<readonly z.output<typeof featureRow>[]> {
  return connection.any(sql.type(featureRow)`
    select account_id as "accountId", feature from account_feature
    where ${accountId}::uuid is null or account_id = ${accountId}::uuid order by feature, account_id`)
}
