import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { reviewDeposits } from './review-deposits.ts'
import { isExternal, trustedRows, type TrustedFrom } from './review-rows.ts'

const standingRow = z.object({
  address: hexText,
  /** Time of its newest trusted receipt. */
  lastReceivedAt: z.date(),
  /** True if the address holds a token with trusted receipts. */
  isHeld: z.boolean(),
  /** Pending, declined or approved conversions of such tokens. */
  isUnderWay: z.boolean(),
  isDeclined: z.boolean(),
  isApproved: z.boolean(),
  /** The account skipped it, and no trusted receipt is later than the skip. */
  isSkipped: z.boolean(),
  /** A receipt that is held, declined or approved lies in a block that the account has not seen. */
  isUnseen: z.boolean(),
})

/**
 * Lists the standing of each external address of an account that had a trusted receipt. A receipt is later than a skip
 * by its time, or by its block within the same second.
 */
export function listReviewStandings(
  connection: CommonQueryMethods,
  accountId: string,
  trusted: readonly TrustedFrom[],
): Promise<readonly z.output<typeof standingRow>[]> {
  return connection.any(sql.type(standingRow)`
    with receipt as (
      select own.address, transfer.chain_id, transfer.token, max(transfer.block_time) as last_at,
        max(transfer.block_number) as last_block
      from stealth_address as own join transfer on transfer.to_address = own.address
      join ${trustedRows(trusted)} on trusted.chain_id = transfer.chain_id and trusted.token = transfer.token
      where own.account_id = ${accountId}::uuid and own.${isExternal} and transfer.standard in ('native', 'erc20')
        and transfer.amount >= trusted.least
      group by own.address, transfer.chain_id, transfer.token
    ), converted as (
      select address, chain_id, token, bool_or(is_under_way) as is_under_way,
        bool_or(status = 'declined') as is_declined, bool_or(status = 'approved') as is_approved
      from (${reviewDeposits(accountId, null)}) as made group by address, chain_id, token
    ), held as (
      select address, chain_id, token from holding
      where owner_account_id = ${accountId}::uuid and standard in ('native', 'erc20') and amount > 0
    )
    select receipt.address, max(last_at) as "lastReceivedAt", bool_or(held.address is not null) as "isHeld",
      bool_or(coalesce(is_under_way, false)) as "isUnderWay",
      bool_or(coalesce(is_declined, false)) as "isDeclined",
      bool_or(coalesce(is_approved, false)) as "isApproved",
      coalesce(not bool_or(last_at > skip.last_received_at or (last_at = skip.last_received_at
        and last_block > coalesce((skip.last_blocks ->> receipt.chain_id::text)::bigint,
          case when skip.last_blocks is null then last_block else -1 end))), false) as "isSkipped",
      bool_or(last_block > coalesce(seen.seen_block, -1)
        and (held.address is not null or is_declined or is_approved)) is true as "isUnseen"
    from receipt
    left join held using (address, chain_id, token)
    left join converted using (address, chain_id, token)
    left join review_skip as skip on skip.account_id = ${accountId}::uuid and skip.address = receipt.address
    left join review_seen as seen on seen.account_id = ${accountId}::uuid and seen.chain_id = receipt.chain_id
    group by receipt.address`)
}

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
