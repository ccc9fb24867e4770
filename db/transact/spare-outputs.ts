import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hasActivity } from '../account/addresses/chain-facts.ts'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'

/**
 * The account's oldest address that was made to move funds to and never got any: the quote for which it was made ended
 * unsubmitted. Null without one.
 */
export function findSpareOutput(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<`0x${string}` | null> {
  return connection.maybeOneFirst(sql.type(z.object({ address: hexText }))`
    select address from stealth_address
    where account_id = ${accountId}::uuid and generation_context = 'fund-movement' and not ${hasActivity}
      and not exists (
        select from quote where quote.account_id = stealth_address.account_id and recipient = stealth_address.address
      )
    order by derivation_nonce limit 1`)
}
