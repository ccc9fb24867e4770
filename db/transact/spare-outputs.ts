import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hasActivity } from '../account/addresses/chain-facts.ts'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'

/**
 * Finds the account's oldest unused address for moving funds: its quote ended unsubmitted, and no venue knows it. Null
 * without one.
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

/** Reserves an address for its quote, because a venue is about to learn of it. */
export async function markOutputTold(
  connection: CommonQueryMethods,
  accountId: string,
  address: `0x${string}`,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update stealth_address set told_to_venue = true
    where account_id = ${accountId}::uuid and address = ${address}`)
}
