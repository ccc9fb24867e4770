import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { askInOneStatement } from '../../ask-in-one-statement.ts'
import { sql } from '../../connect-database.ts'
import { addressesOf, byAccount, byAddress, type AccountTable } from '../../account-table.ts'

/** How an account's erasure and export treat the tables. */
export const depositTables: readonly AccountTable[] = [
  byAddress('account_deposit'),
  byAccount('account_deposit_sum'),
  {
    table: 'asp_review',
    own: (accountId) => sql.fragment`(chain_id, pool, label) in (
      select chain_id, contract, label from pool_event
      where kind = 'deposit' and account in ${addressesOf(accountId)})`,
  },
]

const depositSum = z.object({
  chainId: smallInteger,
  /** As the pools name it: 0xEeee… is the native coin. */
  asset: hexText,
  pendingApproval: z.bigint(),
  approved: z.bigint(),
  declined: z.bigint(),
})
/** Deposits of one asset by review status, in its smallest unit. */
export type DepositSum = z.output<typeof depositSum>

/**
 * Sums the account's deposits that were not recovered, by asset and ASP standing. The cost does not depend on the
 * number of addresses and deposits.
 */
export function sumPoolDeposits(
  connection: CommonQueryMethods,
  accountId: string,
  chainId: number | null = null,
): Promise<readonly DepositSum[]> {
  return connection.any(sql.type(depositSum)`
    select deposited.chain_id as "chainId", registered.asset,
      coalesce(sum(amount) filter (where standing = 'pending'), 0) as "pendingApproval",
      coalesce(sum(amount) filter (where standing = 'approved'), 0) as approved,
      coalesce(sum(amount) filter (where standing = 'declined'), 0) as declined
    from account_deposit_sum as deposited
    join lateral (
      select asset from pool_event
      where chain_id = deposited.chain_id and kind = 'pool-registered' and pool = deposited.pool limit 1
    ) as registered on true
    where account_id = ${accountId}::uuid and standing <> 'recovered'
      and (${chainId}::bigint is null or deposited.chain_id = ${chainId}::bigint)
    group by deposited.chain_id, registered.asset`)
}

const label = z.object({ label: z.bigint() })
const undecided = z.object({ pool: hexText, label: z.string().transform(BigInt) })

/** Deposits from watched addresses in the pools of a chain that the ASP has not decided; asked with other questions. */
export function listUndecidedDeposits(
  connection: CommonQueryMethods,
  chainId: number,
): Promise<readonly z.output<typeof undecided>[]> {
  const question = sql.fragment`
    select coalesce(jsonb_agg(jsonb_build_object('pool', contract, 'label', deposit.label::text)), '[]')
    from pool_event as deposit join stealth_address on stealth_address.address = account
    where deposit.chain_id = ${chainId} and kind = 'deposit' and not exists (
      select from asp_review
      where asp_review.chain_id = deposit.chain_id and pool = deposit.contract
        and asp_review.label = deposit.label and status <> 'pending'
    )`
  return askInOneStatement(connection, question, z.array(undecided))
}

/** Last decision of the association set provider about a deposit. */
export type AspReviewStatus = 'pending' | 'approved' | 'declined'

/**
 * Returns the labels whose deposits belong to accounts, and locks those accounts against deletion until the transaction
 * ends. Writing reviews and deleting an account take this lock first, in the same order, which rules out deadlock.
 */
export function holdOwnersOfLabels(
  transaction: CommonQueryMethods,
  pool: { chainId: number; address: string },
  labels: readonly bigint[],
): Promise<readonly bigint[]> {
  return transaction.anyFirst(sql.type(label)`
    select deposit.label from pool_event as deposit
    join stealth_address on stealth_address.address = deposit.account
    join account on account.id = stealth_address.account_id
    where deposit.chain_id = ${pool.chainId} and contract = ${pool.address} and kind = 'deposit'
      and deposit.label = any(${sql.array(labels.map(String), 'numeric')}::numeric[])
    for key share of account`)
}

/** Writes decisions of the ASP. @returns Labels whose status is new. */
export async function recordReviews(
  connection: CommonQueryMethods,
  pool: { chainId: number; address: string },
  reviews: readonly { label: bigint; status: AspReviewStatus }[],
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

const standingSums = z.object({ accountId: z.string(), sums: z.string() })

/** Sums of each account's deposits by standing, as a text that changes with any of them. */
export function readStandingSums(
  connection: CommonQueryMethods,
  accountIds: readonly string[],
): Promise<readonly z.output<typeof standingSums>[]> {
  return connection.any(sql.type(standingSums)`
    select account_id as "accountId",
      string_agg(concat_ws(' ', chain_id, pool, standing, amount, deposits), ',' order by chain_id, pool, standing) as sums
    from account_deposit_sum where account_id = any(${sql.array([...accountIds], 'uuid')}) group by account_id`)
}

const depositStanding = z.object({
  chainId: smallInteger,
  pool: hexText,
  label: z.bigint(),
  /** Smallest unit. */
  value: z.bigint(),
  standing: z.enum(['pending', 'approved', 'declined', 'recovered']),
})
/** Standing of one deposit of an account. */
export type DepositStandingRow = z.output<typeof depositStanding>

/** Names a deposit. */
export type DepositName = Pick<DepositStandingRow, 'chainId' | 'pool' | 'label'>

/** Finds the standing of a deposit; null for one that is not the account's. */
export function findDepositStanding(
  connection: CommonQueryMethods,
  accountId: string,
  { chainId, pool, label: of }: DepositName,
): Promise<DepositStandingRow | null> {
  return connection.maybeOne(sql.type(depositStanding)`
    select chain_id as "chainId", pool, label, value, standing from account_deposit
    where label = ${String(of)}::numeric and chain_id = ${chainId} and pool = ${pool}
      and account_id = ${accountId}::uuid`)
}

/** Lists the standing of each of the account's deposits. */
export function listDepositStandings(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly DepositStandingRow[]> {
  return connection.any(sql.type(depositStanding)`
    select chain_id as "chainId", pool, label, value, standing from account_deposit
    where account_id = ${accountId}::uuid and label is not null order by chain_id, pool, label`)
}
