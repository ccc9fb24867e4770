import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

interface PoolKey {
  chainId: number
  pool: string
}

/**
 * How many deposits of a pool a withdrawal of that value could come from: approved ones that are worth as much, in the
 * smallest unit.
 */
export function countCrowd(
  connection: CommonQueryMethods,
  { chainId, pool }: PoolKey,
  value: bigint,
): Promise<number> {
  return connection.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from pool_event as deposit
    join asp_set using (chain_id, label)
    where deposit.chain_id = ${chainId} and contract = ${pool} and kind = 'deposit' and value >= ${String(value)}::numeric`)
}

const depositAge = z.object({
  label: z.bigint(),
  /** When it was made, smallest unit then. */
  value: z.bigint(),
  depositedAt: z.date(),
  /** Deposits of the pool that came after it. */
  later: z.int(),
})
/** How well hidden a deposit is by what came after it. */
export type DepositAge = z.output<typeof depositAge>

/** When deposits were made, and how many followed each. */
export function readDepositAges(
  connection: CommonQueryMethods,
  { chainId, pool }: PoolKey,
  labels: readonly bigint[],
): Promise<readonly DepositAge[]> {
  return connection.any(sql.type(depositAge)`
    select deposit.label, deposit.value, deposit.block_time as "depositedAt", (
      select count(*)::int4 from pool_event as later
      where later.chain_id = ${chainId} and later.contract = ${pool} and later.kind = 'deposit'
        and (later.block_number, later.log_index) > (deposit.block_number, deposit.log_index)
    ) as later
    from pool_event as deposit
    where deposit.chain_id = ${chainId} and deposit.contract = ${pool} and deposit.kind = 'deposit'
      and deposit.label = any(${sql.array(labels.map(String), 'numeric')}::numeric[])`)
}
