import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** Least amount of a token for which a receipt counts, in its smallest unit. The token's address is checksummed. */
export interface TrustedFrom {
  chainId: number
  token: string
  least: bigint
}

/** Addresses that others pay to. */
export const isExternal = sql.fragment`generation_context is distinct from 'fund-movement'`

/** The thresholds as rows `trusted (chain_id, token, least)`. */
export const trustedRows = (trusted: readonly TrustedFrom[]) =>
  sql.fragment`${sql.unnest(
    trusted.map(({ chainId, token, least }) => [chainId, token, String(least)]),
    ['int8', 'text', 'numeric'],
  )} as trusted (chain_id, token, least)`

const receiptRow = z.object({
  address: hexText,
  /** Null together with `token`: all receipts of tokens that are not trusted. */
  chainId: smallInteger.nullable(),
  token: hexText.nullable(),
  rawReceiveCount: smallInteger,
  /** Of trusted receipts, like the members below. */
  receiveCount: smallInteger,
  lastReceivedAt: z.date().nullable(),
  receiveTxHash: hexText.nullable(),
})
/** Receipts of a token at an address. */
export type ReceiptRow = z.output<typeof receiptRow>

/**
 * Lists receipts at external addresses of an account: a row per address and trusted token, and one for all other
 * tokens.
 */
export function listReceipts(
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly string[],
  trusted: readonly TrustedFrom[],
): Promise<readonly ReceiptRow[]> {
  const isTrusted = sql.fragment`transfer.amount >= trusted.least`
  return connection.any(sql.type(receiptRow)`
    select own.address, trusted.chain_id as "chainId", trusted.token, count(*) as "rawReceiveCount",
      count(*) filter (where ${isTrusted}) as "receiveCount",
      max(transfer.block_time) filter (where ${isTrusted}) as "lastReceivedAt",
      (array_agg(transfer.tx_hash order by transfer.block_number desc, transfer.position desc)
        filter (where ${isTrusted}))[1] as "receiveTxHash"
    from stealth_address as own join transfer on transfer.to_address = own.address
    left join ${trustedRows(trusted)} on trusted.chain_id = transfer.chain_id and trusted.token = transfer.token
    where own.account_id = ${accountId}::uuid and own.address = any(${sql.array([...addresses], 'text')})
      and own.${isExternal} and transfer.standard in ('native', 'erc20')
    group by own.address, trusted.chain_id, trusted.token`)
}

const blockRow = z.object({ chainId: smallInteger, block: z.bigint() })

/**
 * By chain, the last block with a trusted receipt in the given second, among the first `rawReceiveCount` receipts of an
 * address. A client that knows that many receipts has seen these blocks.
 */
export async function readLastBlocks(
  connection: CommonQueryMethods,
  {
    address,
    lastReceivedAt,
    rawReceiveCount,
  }: { address: string; lastReceivedAt: Date; rawReceiveCount: number },
  trusted: readonly TrustedFrom[],
): Promise<ReadonlyMap<number, bigint>> {
  const rows = await connection.any(sql.type(blockRow)`
    select chain_id as "chainId", max(block_number) as block from (
      select transfer.chain_id, block_number, block_time, transfer.amount >= trusted.least as is_trusted,
        row_number() over (order by block_time, transfer.chain_id, block_number, position) as place
      from transfer
      left join ${trustedRows(trusted)} on trusted.chain_id = transfer.chain_id and trusted.token = transfer.token
      where to_address = ${address} and standard in ('native', 'erc20')
    ) as receipt
    where is_trusted and place <= ${rawReceiveCount} and block_time = ${sql.timestamp(lastReceivedAt)}
    group by chain_id`)
  return new Map(rows.map(({ chainId, block }) => [chainId, block]))
}

const holdingRow = z.object({
  address: hexText,
  chainId: smallInteger,
  token: hexText,
  available: z.bigint(),
  locked: z.bigint(),
})

/** Native coins and ERC-20s at external addresses of an account, in smallest units. */
export function listReviewHoldings(
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly string[],
): Promise<readonly z.output<typeof holdingRow>[]> {
  return connection.any(sql.type(holdingRow)`
    select address, holding.chain_id as "chainId", holding.token,
      greatest(holding.amount - coalesce(locked.amount, 0), 0) as available,
      least(holding.amount, coalesce(locked.amount, 0)) as locked
    from holding join stealth_address as own using (address)
    left join locked_funds as locked using (chain_id, address, token)
    where holding.owner_account_id = ${accountId}::uuid and address = any(${sql.array([...addresses], 'text')})
      and own.${isExternal} and holding.standard in ('native', 'erc20') and holding.amount > 0`)
}
