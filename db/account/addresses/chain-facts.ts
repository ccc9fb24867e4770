import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

/** Whether anything ever happened at a row of stealth_address, as far as the chains are indexed. */
export const hasActivity = sql.fragment`(
  exists (select from address_tx where address_tx.address = stealth_address.address)
  or exists (select from transfer where transfer.to_address = stealth_address.address)
  or exists (select from holding where holding.address = stealth_address.address and holding.amount > 0))`

/** Whether a row of stealth_address has coins or tokens on any indexed chain. */
const hasBalance = sql.fragment`exists (
  select from holding where holding.address = stealth_address.address and holding.amount > 0
    and holding.standard in ('native', 'erc20'))`

/** Whether the account has something on its way from a row of stealth_address, or to it. What others send is not said. */
const hasPendingActivity = sql.fragment`exists (
  select from quote where quote.account_id = stealth_address.account_id and quote.status = 'submitted'
    and (quote.recipient = stealth_address.address or exists (
      select from intent where intent.quote_id = quote.id and intent.eoa = stealth_address.address
        and intent.status in ('queued', 'batched'))))`

const factRow = z.object({
  address: z.string(),
  hasActivity: z.boolean(),
  activityCount: z.bigint().transform(Number),
  hasBalance: z.boolean(),
  hasPendingActivity: z.boolean(),
})

/** All of these of some addresses, and how many transactions touched each. */
export function readChainFacts(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly z.output<typeof factRow>[]> {
  return connection.any(sql.type(factRow)`
    select address, ${hasActivity} as "hasActivity", ${hasBalance} as "hasBalance",
      ${hasPendingActivity} as "hasPendingActivity",
      (select count(*) from address_tx where address_tx.address = stealth_address.address) as "activityCount"
    from stealth_address where address = any(${sql.array([...addresses], 'text')})`)
}

/** The chains that are indexed, by number. */
export async function listIndexedChains(connection: CommonQueryMethods): Promise<readonly number[]> {
  return connection.anyFirst(sql.type(z.object({ chainId: z.bigint().transform(Number) }))`
    select chain_id as "chainId" from indexed_chain where block_hash is not null order by chain_id`)
}
