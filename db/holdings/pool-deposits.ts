import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../broadcast/outbound-rows.ts'
import { sql } from '../connect-database.ts'

const depositSum = z.object({
  chainId: smallInteger,
  /** In the pools' words: 0xEeee… is the native coin. */
  asset: hexText,
  pendingApproval: z.bigint(),
  approved: z.bigint(),
  declined: z.bigint(),
})
export type DepositSum = z.output<typeof depositSum>

/** What the account's addresses have deposited and not recovered, asset by asset, by what the ASP makes of it. */
export function sumPoolDeposits(
  connection: CommonQueryMethods,
  accountId: string,
  chainId: number | null = null,
): Promise<readonly DepositSum[]> {
  return connection.any(sql.type(depositSum)`
    select deposit.chain_id as "chainId", registered.asset,
      coalesce(sum(value) filter (where coalesce(status, 'pending') = 'pending'), 0) as "pendingApproval",
      coalesce(sum(value) filter (where status = 'approved'), 0) as approved,
      coalesce(sum(value) filter (where status = 'declined'), 0) as declined
    from stealth_address
    join pool_event as deposit on deposit.account = address and deposit.kind = 'deposit'
    join lateral (
      select asset from pool_event
      where chain_id = deposit.chain_id and kind = 'pool-registered' and pool = deposit.contract limit 1
    ) as registered on true
    left join asp_review as review
      on review.chain_id = deposit.chain_id and review.pool = deposit.contract and review.label = deposit.label
    where account_id = ${accountId}::uuid
      and (${chainId}::bigint is null or deposit.chain_id = ${chainId}::bigint)
      and not exists (
        select from pool_event as ragequit
        where ragequit.chain_id = deposit.chain_id and ragequit.contract = deposit.contract
          and ragequit.kind = 'ragequit' and ragequit.label = deposit.label
      )
    group by deposit.chain_id, registered.asset`)
}

const label = z.object({ label: z.bigint() })

/** Labels of deposits from watched addresses that the ASP has not decided about. */
export async function listUndecidedLabels(
  connection: CommonQueryMethods,
  pool: { chainId: number; address: string },
): Promise<readonly bigint[]> {
  return connection.anyFirst(sql.type(label)`
    select deposit.label from pool_event as deposit join stealth_address on stealth_address.address = account
    where deposit.chain_id = ${pool.chainId} and contract = ${pool.address} and kind = 'deposit'
      and not exists (
        select from asp_review
        where asp_review.chain_id = deposit.chain_id and pool = deposit.contract
          and asp_review.label = deposit.label and status <> 'pending'
      )`)
}

export type ReviewStatus = 'pending' | 'approved' | 'declined'

/** Writes what the ASP said. @returns Labels whose status is new. */
export async function recordReviews(
  connection: CommonQueryMethods,
  pool: { chainId: number; address: string },
  reviews: readonly { label: bigint; status: ReviewStatus }[],
): Promise<readonly bigint[]> {
  if (reviews.length === 0) return []
  return connection.anyFirst(sql.type(label)`
    insert into asp_review (chain_id, pool, label, status)
    select ${pool.chainId}, ${pool.address}, label, status
    from ${sql.unnest(
      reviews.map((review) => [String(review.label), review.status]),
      ['numeric', 'text'],
    )} as said (label, status)
    order by label
    on conflict (chain_id, pool, label) do update set status = excluded.status, reviewed_at = now()
      where asp_review.status <> excluded.status
    returning label`)
}
