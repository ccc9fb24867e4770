import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const accountTokenTable = byAccount('account_token')

const accountTokenRow = z.object({ chainId: z.bigint().transform(Number), address: z.string() })
/** A token that an account added to its list. */
export type AccountTokenRow = z.output<typeof accountTokenRow>

/** Lists the tokens that an account added, in that order. */
export function listAccountTokens(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly AccountTokenRow[]> {
  return connection.any(sql.type(accountTokenRow)`
    select chain_id as "chainId", address from account_token where account_id = ${accountId} order by position`)
}

/**
 * Adds a token to an account, unless it is listed.
 *
 * @returns False, with nothing added, when the account already has `max` others.
 */
export function addAccountToken(
  pool: DatabasePool,
  { accountId, chainId, address }: { accountId: string; chainId: number; address: string },
  max: number,
): Promise<boolean> {
  return pool.transaction(async (connection) => {
    // Serializes additions to one account, so that together they cannot pass the limit.
    await connection.any(
      sql.type(
        z.object({ id: z.string() }),
      )`select id from account where id = ${accountId} for no key update`,
    )
    const { others } = await connection.one(sql.type(z.object({ others: z.bigint() }))`
      select count(*) as others from account_token
      where account_id = ${accountId} and (chain_id, address) <> (${chainId}, ${address})`)
    if (others >= max) return false
    await connection.query(sql.typeAlias('void')`
      insert into account_token (account_id, chain_id, address) values (${accountId}, ${chainId}, ${address})
      on conflict do nothing`)
    return true
  })
}

const featureRow = z.object({ feature: z.string() })

/** The features that are switched on for an account. */
export async function listAccountFeatures(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<ReadonlySet<string>> {
  const rows = await connection.any(sql.type(featureRow)`
    select feature from account_feature where account_id = ${accountId}`)
  return new Set(rows.map(({ feature }) => feature))
}
