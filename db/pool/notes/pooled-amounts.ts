import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import type { PoolKey } from './pool-conversions.ts'

const assetOf = (chainId: string, pool: string) => sql.fragment`(
  select asset from pool_event
  where chain_id = ${sql.identifier(chainId.split('.'))} and kind = 'pool-registered'
    and pool = ${sql.identifier(pool.split('.'))} limit 1)`

const standingDeposit = z.object({
  label: z.bigint(),
  /** Amount deposited, in the token's smallest unit. */
  value: z.bigint(),
  standing: z.enum(['pending', 'approved', 'declined']),
  /** As the pools name it: 0xEeee… is the native coin. */
  asset: hexText,
})

/** Lists an account's deposits with these labels that were not recovered. */
export function listStandingDeposits(
  connection: CommonQueryMethods,
  accountId: string,
  pool: PoolKey,
  labels: readonly bigint[],
): Promise<readonly z.output<typeof standingDeposit>[]> {
  if (labels.length === 0) return Promise.resolve([])
  return connection.any(sql.type(standingDeposit)`
    select label, value, standing, ${assetOf('deposit.chain_id', 'deposit.pool')} as asset
    from account_deposit as deposit
    where account_id = ${accountId}::uuid and chain_id = ${pool.chainId} and deposit.pool = ${pool.address}
      and standing <> 'recovered' and label = any(${sql.array(labels.map(String), 'numeric')})`)
}

const executedSum = z.object({ chainId: smallInteger, asset: hexText, amount: z.bigint() })

/** Sums an account's executed conversions whose deposits are not indexed yet, by asset, in its smallest unit. */
export function sumUnindexedConversions(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly z.output<typeof executedSum>[]> {
  return connection.any(sql.type(executedSum)`
    select conversion.chain_id as "chainId", ${assetOf('conversion.chain_id', 'conversion.pool')} as asset,
      sum(net) as amount
    from pool_conversion as conversion
    join intent on intent.quote_id = conversion.quote_id and intent.place = conversion.place
      and intent.status = 'succeeded'
    where conversion.account_id = ${accountId}::uuid and conversion.ended_at is null and not exists (
      select from pool_event as deposit where deposit.precommitment = conversion.precommitment
        and deposit.kind = 'deposit' and deposit.chain_id = conversion.chain_id
        and deposit.contract = conversion.pool and deposit.account = conversion.address)
    group by conversion.chain_id, conversion.pool`)
}
