import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hasActivity } from '../account/addresses/chain-facts.ts'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'

/**
 * The account's oldest address that was made to move funds to and never got any: the quote for which it was made ended
 * unsubmitted, and no venue was told of it. Null without one.
 */
export function findSpareOutput(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<`0x${string}` | null> {
  return connection.maybeOneFirst(sql.type(z.object({ address: hexText }))`
    select address from stealth_address
    where account_id = ${accountId}::uuid and generation_context = 'fund-movement' and not ${hasActivity}
      and not told_to_venue
      and not exists (
        select from quote where quote.account_id = stealth_address.account_id and recipient = stealth_address.address
      )
      and not exists (select from dapp_use where dapp_use.address = stealth_address.address)
    order by derivation_nonce limit 1`)
}

/** Keeps an address from being offered to another quote: a venue is about to be told of it. */
export async function markOutputTold(
  connection: CommonQueryMethods,
  accountId: string,
  address: `0x${string}`,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update stealth_address set told_to_venue = true
    where account_id = ${accountId}::uuid and address = ${address}`)
}
