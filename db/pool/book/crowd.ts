import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

interface PoolKey {
  chainId: number
  pool: string
}

const numerics = (labels: readonly bigint[]) =>
  sql.fragment`${sql.array(labels.map(String), 'numeric')}::numeric[]`

/**
 * Counts the deposits of a pool from which this service's signers could make a withdrawal of that value. These are
 * approved deposits by intents of at least that value, in the smallest unit, and the actual ones.
 */
export function countCrowd(
  connection: CommonQueryMethods,
  { chainId, pool }: PoolKey,
  { value, labels }: { value: bigint; labels: readonly bigint[] },
): Promise<number> {
  return connection.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from pool_event as deposit
    join asp_set using (chain_id, label)
    where deposit.chain_id = ${chainId} and contract = ${pool} and kind = 'deposit' and value >= ${String(value)}::numeric
      and (${isMadeByIntent} or label = any(${numerics(labels)}))`)
}

const depositAge = z.object({
  label: z.bigint(),
  /** Amount deposited, in the smallest unit. */
  value: z.bigint(),
  depositedAt: z.date(),
  /** Later deposits into the pool by intents. */
  later: z.int(),
})
/** Age of a deposit and the number of later ones, which hide it. */
export type DepositAge = z.output<typeof depositAge>

/** Reads when deposits were made, and how many by intents followed each. */
export function readDepositAges(
  connection: CommonQueryMethods,
  { chainId, pool }: PoolKey,
  labels: readonly bigint[],
): Promise<readonly DepositAge[]> {
  return connection.any(sql.type(depositAge)`
    select own.label, own.value, own.block_time as "depositedAt", (
      select count(*)::int4 from pool_event as deposit
      where deposit.chain_id = ${chainId} and deposit.contract = ${pool} and deposit.kind = 'deposit'
        and (deposit.block_number, deposit.log_index) > (own.block_number, own.log_index) and ${isMadeByIntent}
    ) as later
    from pool_event as own
    where own.chain_id = ${chainId} and own.contract = ${pool} and own.kind = 'deposit'
      and own.label = any(${numerics(labels)})`)
}

/**
 * Condition: an intent of an account here made the row `deposit` of `pool_event`. A withdrawal by this service's
 * signers probably stems from such a deposit; an observer who assumes so discounts all others.
 */
export const isMadeByIntent = sql.fragment`exists (
  select from intent_event
  where intent_event.chain_id = deposit.chain_id and intent_event.tx_hash = deposit.tx_hash
    and intent_event.eoa = deposit.account)`
