import type { CommonQueryMethods } from 'slonik'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'

const lock = z.object({ key: z.string(), locked: z.bigint(), reserved: z.bigint() })
const leak = z.object({ quoteId: z.string(), status: z.string() })

/**
 * Checks the reservations. The locked amount of each address and token must be the sum of its live reservations. Quotes
 * that ended without spending must have none.
 */
export async function expectNothingLeaked(connection: CommonQueryMethods): Promise<void> {
  const wrong = await connection.any(sql.type(lock)`
    with live as (
      select chain_id, address, token, sum(amount) as amount from reservation where released_at is null
      group by chain_id, address, token
    )
    select concat_ws(' ', chain_id, address, token) as key, coalesce(locked_funds.amount, 0) as locked,
      coalesce(live.amount, 0) as reserved
    from locked_funds full join live using (chain_id, address, token)
    where coalesce(locked_funds.amount, 0) <> coalesce(live.amount, 0)`)
  expect(wrong, 'locks that are not the sum of live reservations').toEqual([])
  const leaked = await connection.any(sql.type(leak)`
    select distinct quote.id as "quoteId", status from quote join reservation on quote_id = quote.id
    where status in ('unlocked', 'expired', 'replaced') and released_at is null
      or status in ('failed', 'confirmed') and released_at is null and spent_in_block is null`)
  expect(leaked, 'quotes that ended and still lock funds').toEqual([])
}
