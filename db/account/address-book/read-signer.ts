import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

const signerRow = z.object({ authAddress: z.string() })

/** The address of an account's spending key, which signs for the account; null for an unknown account. */
export async function readSigner(connection: CommonQueryMethods, accountId: string): Promise<string | null> {
  const row = await connection.maybeOne(sql.type(signerRow)`
    select auth_address as "authAddress" from account where id = ${accountId}`)
  return row?.authAddress ?? null
}
