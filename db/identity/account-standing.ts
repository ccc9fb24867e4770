import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

const standingRow = z.object({ accountId: z.string(), disabled: z.boolean() })

/** The account of an auth address; null without one. */
export function findAccountOf(
  connection: CommonQueryMethods,
  authAddress: string,
): Promise<z.output<typeof standingRow> | null> {
  return connection.maybeOne(sql.type(standingRow)`
    select id as "accountId", disabled_at is not null as disabled from account where auth_address = ${authAddress}`)
}

/**
 * Disables or enables an account. A disabled account's tokens and API keys are refused, and it cannot sign in.
 *
 * @returns False when there is no such account.
 */
export async function setAccountDisabled(
  connection: CommonQueryMethods,
  accountId: string,
  disabled: boolean,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    update account set disabled_at = case when ${disabled} then coalesce(disabled_at, now()) end
    where id = ${accountId}`)
  return rowCount === 1
}
