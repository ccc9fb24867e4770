import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

/** True if a row of stealth_address has had any activity on an indexed chain. */
export const hasActivity = sql.fragment`(
  exists (select from address_tx where address_tx.address = stealth_address.address)
  or exists (select from transfer where transfer.to_address = stealth_address.address)
  or exists (select from holding where holding.address = stealth_address.address and holding.amount > 0))`

/** True if a row of stealth_address has coins or tokens on any indexed chain. */
const hasBalance = sql.fragment`exists (
  select from holding where holding.address = stealth_address.address and holding.amount > 0
    and holding.standard in ('native', 'erc20'))`

/**
 * Addresses that pay or are paid in the account's pending quotes; payments by others do not count. The subquery does
 * not depend on the outer address, so PostgreSQL runs it once per page of addresses.
 */
const pendingAddresses = (accountId: string) => sql.fragment`
  select recipient from quote where account_id = ${accountId} and status = 'submitted' and recipient is not null
  union all
  select intent.eoa from quote join intent on intent.quote_id = quote.id
  where quote.account_id = ${accountId} and quote.status = 'submitted' and intent.status in ('queued', 'batched')`

const factRow = z.object({
  address: z.string(),
  hasActivity: z.boolean(),
  activityCount: z.bigint().transform(Number),
  hasBalance: z.boolean(),
  hasPendingActivity: z.boolean(),
})

/**
 * Activity, balance and pending activity of some addresses of an account, with the number of transactions that touched
 * each.
 */
export function readChainFacts(
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly string[],
): Promise<readonly z.output<typeof factRow>[]> {
  return connection.any(sql.type(factRow)`
    select address, ${hasActivity} as "hasActivity", ${hasBalance} as "hasBalance",
      address in (${pendingAddresses(accountId)}) as "hasPendingActivity",
      (select count(*) from address_tx where address_tx.address = stealth_address.address) as "activityCount"
    from stealth_address where account_id = ${accountId} and address = any(${sql.array([...addresses], 'text')})`)
}

/** Ids of the chains that have an indexed block. */
export async function listIndexedChains(connection: CommonQueryMethods): Promise<readonly number[]> {
  return connection.anyFirst(sql.type(z.object({ chainId: z.bigint().transform(Number) }))`
    select chain_id as "chainId" from indexed_chain where block_hash is not null order by chain_id`)
}
