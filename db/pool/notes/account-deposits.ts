import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import type { PoolKey } from './pool-conversions.ts'

const depositRow = z.object({
  label: z.bigint(),
  /** Leaf of the deposit. */
  commitment: z.bigint(),
  /** In the token's smallest unit, without the vetting fee. */
  value: z.bigint(),
  standing: z.enum(['pending', 'approved', 'declined']),
  /** Null for a deposit that this service did not prepare. */
  depositIndex: smallInteger.nullable(),
})
/** A deposit by an address of an account that was not recovered. */
export type AccountDeposit = z.output<typeof depositRow>

/** Lists an account's deposits in a pool that were not recovered, by index; deposits without one last. */
export function listAccountDeposits(
  connection: CommonQueryMethods,
  accountId: string,
  pool: PoolKey,
): Promise<readonly AccountDeposit[]> {
  return connection.any(sql.type(depositRow)`
    select deposit.label, event.commitment, deposit.value, deposit.standing,
      conversion.deposit_index as "depositIndex"
    from account_deposit as deposit
    cross join lateral (
      select commitment, precommitment from pool_event
      where chain_id = deposit.chain_id and block_hash = deposit.block_hash and log_index = deposit.log_index offset 0
    ) as event
    left join pool_conversion as conversion
      on conversion.account_id = deposit.account_id and conversion.chain_id = deposit.chain_id
      and conversion.precommitment = event.precommitment and conversion.pool = deposit.pool
      and conversion.address = deposit.address and conversion.ended_at is null
    where deposit.account_id = ${accountId}::uuid and deposit.chain_id = ${pool.chainId}
      and deposit.pool = ${pool.address} and deposit.standing <> 'recovered'
    order by conversion.deposit_index nulls last, deposit.label`)
}

/**
 * The ASP's decision about a deposit, as in `account_deposit`. An approval counts once the label is in the list that
 * hashes to the chain's latest root. Reads the columns of `review`, an outer join of `asp_review`.
 */
export const ASP_DECISION = sql.fragment`case
  when review.status = 'approved' and not exists (
    select from asp_set where asp_set.chain_id = review.chain_id and asp_set.label = review.label
  ) then 'pending' else coalesce(review.status, 'pending') end`
