import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

const signerRow = z.object({ authAddress: z.string() })

/** The address whose key signs for an account: that of its spending key. */
export async function readSigner(connection: CommonQueryMethods, accountId: string): Promise<string | null> {
  const row = await connection.maybeOne(sql.type(signerRow)`
    select auth_address as "authAddress" from account where id = ${accountId}`)
  return row?.authAddress ?? null
}
