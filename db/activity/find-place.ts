import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import type { ActivityCursor } from './account-activity.ts'

const place = z.object({
  blockTime: z.date(),
  chainId: smallInteger,
  blockNumber: z.bigint(),
  txIndex: z.number(),
})

/** An activity by its transaction, or by the quote that a transaction executed. */
export type WantedActivity = { chainId: number; txHash: string } | { quoteId: string }

/** The place of an account's transaction among all; of a quote, that of its first. Null for any other. */
export async function findPlace(
  connection: CommonQueryMethods,
  accountId: string,
  wanted: WantedActivity,
): Promise<ActivityCursor | null> {
  const transaction =
    'txHash' in wanted
      ? sql.fragment`select ${wanted.chainId}::bigint as chain_id, ${wanted.txHash} as tx_hash, 0 as place`
      : sql.fragment`
        select event.chain_id, event.tx_hash, intent.place
        from intent join intent_event as event using (eoa, chain_id, intent_nonce)
        where intent.quote_id = ${wanted.quoteId}::uuid and intent.account_id = ${accountId}::uuid and incremented`
  return connection.maybeOne(sql.type(place)`
    select block_time as "blockTime", touched.chain_id as "chainId", block_number as "blockNumber",
      tx_index as "txIndex"
    from (${transaction}) as wanted
    join stealth_address on stealth_address.account_id = ${accountId}::uuid
    join address_tx as touched
      on touched.address = stealth_address.address and touched.chain_id = wanted.chain_id and touched.tx_hash = wanted.tx_hash
    order by wanted.place limit 1`)
}
