import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** From which amount on a receipt of a token counts, in its smallest unit. The token's address is checksummed. */
export interface TrustedFrom {
  chainId: number
  token: string
  least: bigint
}

/** Addresses that others pay to. */
const isExternal = sql.fragment`generation_context is distinct from 'fund-movement'`

const receiptRow = z.object({
  address: hexText,
  /** Null together with `token`: all receipts that are not among the trusted tokens. */
  chainId: smallInteger.nullable(),
  token: hexText.nullable(),
  rawReceiveCount: smallInteger,
  /** Of trusted receipts, as the following members. */
  receiveCount: smallInteger,
  lastReceivedAt: z.date().nullable(),
  lastBlock: z.bigint().nullable(),
  receiveTxHash: hexText.nullable(),
})
/** What an address was sent of a token. */
export type ReceiptRow = z.output<typeof receiptRow>

/** What the external addresses of an account were sent: a row for each address and trusted token, one for all others. */
export function listReceipts(
  connection: CommonQueryMethods,
  accountId: string,
  trusted: readonly TrustedFrom[],
): Promise<readonly ReceiptRow[]> {
  const isTrusted = sql.fragment`transfer.amount >= trusted.least`
  return connection.any(sql.type(receiptRow)`
    select own.address, trusted.chain_id as "chainId", trusted.token, count(*) as "rawReceiveCount",
      count(*) filter (where ${isTrusted}) as "receiveCount",
      max(transfer.block_time) filter (where ${isTrusted}) as "lastReceivedAt",
      max(transfer.block_number) filter (where ${isTrusted}) as "lastBlock",
      (array_agg(transfer.tx_hash order by transfer.block_number desc, transfer.position desc)
        filter (where ${isTrusted}))[1] as "receiveTxHash"
    from stealth_address as own join transfer on transfer.to_address = own.address
    left join ${sql.unnest(
      trusted.map(({ chainId, token, least }) => [chainId, token, String(least)]),
      ['int8', 'text', 'numeric'],
    )} as trusted (chain_id, token, least)
      on trusted.chain_id = transfer.chain_id and trusted.token = transfer.token
    where own.account_id = ${accountId}::uuid and own.${isExternal} and transfer.standard in ('native', 'erc20')
    group by own.address, trusted.chain_id, trusted.token`)
}

const holdingRow = z.object({
  address: hexText,
  chainId: smallInteger,
  token: hexText,
  available: z.bigint(),
  locked: z.bigint(),
})

/** What the external addresses of an account hold of native coins and ERC-20s, in smallest units. */
export function listReviewHoldings(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly z.output<typeof holdingRow>[]> {
  return connection.any(sql.type(holdingRow)`
    select address, holding.chain_id as "chainId", holding.token,
      greatest(holding.amount - coalesce(locked.amount, 0), 0) as available,
      least(holding.amount, coalesce(locked.amount, 0)) as locked
    from holding join stealth_address as own using (address)
    left join locked_funds as locked using (chain_id, address, token)
    where holding.owner_account_id = ${accountId}::uuid and own.${isExternal}
      and holding.standard in ('native', 'erc20') and holding.amount > 0`)
}

const depositRow = z.object({
  address: hexText,
  chainId: smallInteger,
  /** In the pools' words: 0xEeee… is the native coin. */
  asset: hexText,
  /** Null while no deposit is indexed. */
  label: z.bigint().nullable(),
  status: z.enum(['submitted', 'pending', 'approved', 'declined', 'recovered', 'failed']),
  txHash: hexText.nullable(),
  amount: z.bigint(),
  updatedAt: z.date(),
  isBeingRecovered: z.boolean(),
})

const assetOf = (row: 'deposit' | 'conversion') => sql.fragment`(
  select asset from pool_event as registered where registered.chain_id = ${sql.identifier([row, 'chain_id'])}
    and registered.kind = 'pool-registered' and registered.pool = ${sql.identifier([row, 'pool'])} limit 1)`

/**
 * The deposits of an account into pools, the submitted conversions that are no deposit yet, and those that failed. Their
 * time is that of the block; of a recovery, that of the ragequit; of a failure, that of the database when it was known.
 */
export function listReviewDeposits(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly z.output<typeof depositRow>[]> {
  return connection.any(sql.type(depositRow)`
    select deposit.address, deposit.chain_id as "chainId", ${assetOf('deposit')} as asset, deposit.label,
      deposit.standing as status, coalesce(back.tx_hash, event.tx_hash) as "txHash", deposit.value as amount,
      coalesce(back.block_time, event.block_time) as "updatedAt",
      exists (
        select from pool_recovery as recovery join quote on quote.id = recovery.quote_id
        where recovery.chain_id = deposit.chain_id and recovery.pool = deposit.pool and recovery.label = deposit.label
          and recovery.account_id = deposit.account_id and recovery.ended_at is null and quote.status = 'submitted'
      ) as "isBeingRecovered"
    from account_deposit as deposit
    cross join lateral (
      select tx_hash, block_time from pool_event
      where chain_id = deposit.chain_id and block_hash = deposit.block_hash and log_index = deposit.log_index offset 0
    ) as event
    left join lateral (
      select tx_hash, block_time from pool_event where kind = 'ragequit' and label = deposit.label
        and chain_id = deposit.chain_id and contract = deposit.pool limit 1
    ) as back on deposit.standing = 'recovered'
    where deposit.account_id = ${accountId}::uuid
    union all
    select conversion.address, conversion.chain_id, ${assetOf('conversion')}, null,
      case when conversion.ended_at is null then 'submitted' else 'failed' end, null, conversion.net,
      coalesce(conversion.ended_at, quote.created_at), false
    from pool_conversion as conversion join quote on quote.id = conversion.quote_id
    join intent on intent.quote_id = conversion.quote_id and intent.place = conversion.place
    where conversion.account_id = ${accountId}::uuid and not exists (
      select from pool_event as deposit where deposit.precommitment = conversion.precommitment
        and deposit.kind = 'deposit' and deposit.chain_id = conversion.chain_id
        and deposit.contract = conversion.pool and deposit.account = conversion.address)`)
}
