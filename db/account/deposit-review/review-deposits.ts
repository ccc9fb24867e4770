import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const depositRow = z.object({
  address: hexText,
  chainId: smallInteger,
  /** The zero address is the native coin. */
  token: hexText,
  /** Null while no deposit is indexed. */
  label: z.bigint().nullable(),
  status: z.enum(['submitted', 'pending', 'approved', 'declined', 'recovered', 'failed']),
  txHash: hexText.nullable(),
  amount: z.bigint(),
  updatedAt: z.date(),
  /** True while it is too early to decide: it is submitted, awaits approval, or is being recovered. */
  isUnderWay: z.boolean(),
})

/** The token of a row's pool; the pools say 0xEeee… for the native coin. */
const tokenOf = (row: 'deposit' | 'conversion') => sql.fragment`(
  select case asset when '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
    then '0x0000000000000000000000000000000000000000' else asset end
  from pool_event as registered where registered.chain_id = ${sql.identifier([row, 'chain_id'])}
    and registered.kind = 'pool-registered' and registered.pool = ${sql.identifier([row, 'pool'])} limit 1)`

/**
 * Selects an account's deposits into pools, its submitted conversions without a deposit yet, and its failed ones.
 * Non-null `addresses` narrow it.
 */
export function reviewDeposits(accountId: string, addresses: readonly string[] | null) {
  const ofAddresses = (row: 'deposit' | 'conversion') =>
    addresses === null
      ? sql.fragment`true`
      : sql.fragment`${sql.identifier([row, 'address'])} = any(${sql.array([...addresses], 'text')})`
  return sql.fragment`
    select deposit.address, deposit.chain_id, deposit.pool, ${tokenOf('deposit')} as token, deposit.label,
      deposit.standing as status, deposit.block_hash, deposit.log_index, deposit.value as amount,
      null::timestamptz as ended_at,
      deposit.standing = 'pending' or (deposit.standing <> 'recovered' and exists (
        select from pool_recovery as recovery join quote on quote.id = recovery.quote_id
        where recovery.chain_id = deposit.chain_id and recovery.pool = deposit.pool and recovery.label = deposit.label
          and recovery.account_id = deposit.account_id and recovery.ended_at is null and quote.status = 'submitted'
      )) as is_under_way
    from account_deposit as deposit
    where deposit.account_id = ${accountId}::uuid and ${ofAddresses('deposit')}
    union all
    select conversion.address, conversion.chain_id, conversion.pool, ${tokenOf('conversion')}, null,
      case when conversion.ended_at is null then 'submitted' else 'failed' end, null, null, conversion.net,
      coalesce(conversion.ended_at, quote.created_at), conversion.ended_at is null
    from pool_conversion as conversion join quote on quote.id = conversion.quote_id
    join intent on intent.quote_id = conversion.quote_id and intent.place = conversion.place
    where conversion.account_id = ${accountId}::uuid and ${ofAddresses('conversion')} and not exists (
      select from pool_event as deposit where deposit.precommitment = conversion.precommitment
        and deposit.kind = 'deposit' and deposit.chain_id = conversion.chain_id
        and deposit.contract = conversion.pool and deposit.account = conversion.address)`
}

/**
 * Lists the outcomes of conversions at addresses of an account. `updatedAt` is the block time of the deposit or
 * ragequit; for a failure, the time of its record.
 */
export function listReviewDeposits(
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly string[],
): Promise<readonly z.output<typeof depositRow>[]> {
  return connection.any(sql.type(depositRow)`
    select made.address, made.chain_id as "chainId", made.token, made.label, made.status,
      coalesce(back.tx_hash, event.tx_hash) as "txHash", made.amount,
      coalesce(back.block_time, event.block_time, made.ended_at) as "updatedAt", made.is_under_way as "isUnderWay"
    from (${reviewDeposits(accountId, addresses)}) as made
    left join lateral (
      select tx_hash, block_time from pool_event
      where chain_id = made.chain_id and block_hash = made.block_hash and log_index = made.log_index offset 0
    ) as event on true
    left join lateral (
      select tx_hash, block_time from pool_event where kind = 'ragequit' and label = made.label
        and chain_id = made.chain_id and contract = made.pool limit 1
    ) as back on made.status = 'recovered'`)
}
