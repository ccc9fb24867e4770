import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

const count = z.bigint().transform(Number)
const usageRow = z.object({ accounts: count, submitted: count, confirmed: count, failed: count })
/** How many accounts there are, and how many submitted quotes have each status. */
export type UsageRow = z.output<typeof usageRow>

/** How many accounts there are, and what became of the quotes that were submitted. */
export function countUsage(connection: CommonQueryMethods): Promise<UsageRow> {
  return connection.one(sql.type(usageRow)`
    select (select count(*) from account) as accounts,
      count(*) filter (where status = 'submitted') as submitted,
      count(*) filter (where status = 'confirmed') as confirmed,
      count(*) filter (where status = 'failed') as failed
    from quote`)
}
