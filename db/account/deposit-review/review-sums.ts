import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

const reviewSum = z.object({ accountId: z.string(), sum: z.string() })

/**
 * Returns, for each account, a digest that changes whenever input of its review changes. It covers holdings, the newest
 * transaction, deposits, conversions, recoveries, skips and seen marks, but not prices.
 */
export function readReviewSums(
  connection: CommonQueryMethods,
  accountIds: readonly string[],
): Promise<readonly z.output<typeof reviewSum>[]> {
  return connection.any(sql.type(reviewSum)`
    select account.id as "accountId", md5(concat_ws('|',
      (select string_agg(concat_ws(' ', chain_id, token, amount), ',' order by chain_id, token)
        from account_holding where account_id = account.id),
      (select concat_ws(' ', chain_id, block_number, tx_hash) from account_tx where account_id = account.id
        order by block_time desc, -chain_id desc, block_number desc, tx_index desc, tx_hash limit 1),
      (select string_agg(concat_ws(' ', chain_id, pool, standing, deposits), ',' order by chain_id, pool, standing)
        from account_deposit_sum where account_id = account.id),
      (select concat_ws(' ', count(*), count(conversion.ended_at)) from pool_conversion as conversion
        join intent using (quote_id, place) where conversion.account_id = account.id),
      (select concat_ws(' ', count(*), count(recovery.ended_at), count(*) filter (where quote.status = 'submitted'))
        from pool_recovery as recovery join quote on quote.id = quote_id where recovery.account_id = account.id),
      (select concat_ws(' ', count(*), max(skipped_at)) from review_skip where account_id = account.id),
      (select string_agg(concat_ws(' ', chain_id, seen_block), ',' order by chain_id)
        from review_seen where account_id = account.id)
    )) as sum
    from unnest(${sql.array([...accountIds], 'uuid')}) as account (id)`)
}
