import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from './column-types.ts'
import { sql } from './connect-database.ts'

const dayRow = z.object({
  /** `2026-11-28`, in UTC. */
  day: z.string(),
  chainId: smallInteger,
  token: hexText,
  symbol: z.string().nullable(),
  decimals: z.int().nullable(),
  duty: z.enum(['relays', 'sends']),
  /** Relays, or sends of which something was executed. */
  acts: smallInteger,
  fees: z.bigint(),
  gasSpent: z.bigint(),
  gasUnpaid: z.bigint(),
})
/**
 * Income and cost of one day, chain, token and duty: fees in the token's smallest unit, the rest in wei. `gasSpent` includes
 * coins sent along with relays; `gasUnpaid` is its part for transactions that paid nothing.
 */
export type DailyBooks = z.output<typeof dayRow>

/** Sums the books exactly by day, the newest first: totals of old bookings plus the rows since. */
export function sumDays(
  connection: CommonQueryMethods,
  { from, to }: { from: string; to: string },
): Promise<readonly DailyBooks[]> {
  return connection.any(sql.type(dayRow)`
    select day, chain_id as "chainId", token, described.symbol, described.decimals, duty, acts, fees,
      gas_spent as "gasSpent", gas_unpaid as "gasUnpaid"
    from daily_sums(${from}::date, ${to}::date) as sums left join lateral (
      select symbol, decimals from (
        select source, symbol, decimals from token_source
        where token_source.chain_id = sums.chain_id and address = token
        union all
        select source, symbol, decimals from held_token_source
        where held_token_source.chain_id = sums.chain_id and address = token
      ) as known order by source = 'chain' desc, source limit 1
    ) described on true
    order by day desc, chain_id, token, duty`)
}
