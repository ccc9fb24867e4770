import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { isSendersAct } from '../chain/indexer/own-acts.ts'
import { sql } from '../connect-database.ts'
import { byAccount } from '../account-table.ts'
import { ASP_DECISION } from '../pool/notes/account-deposits.ts'
import { ofNoOrder } from './order-transactions.ts'

/** Position of the last transaction of a page of activity. */
export interface ActivityCursor {
  blockTime: Date
  chainId: number
  blockNumber: bigint
  txIndex: number
}

/** How an account's erasure and export treat the table. */
export const accountTransactionTable = byAccount('account_tx')

const accountTx = z.object({
  chainId: smallInteger,
  txHash: hexText,
  blockNumber: z.bigint(),
  blockTime: z.date(),
  txIndex: z.number(),
})
/** A transaction that touched an address of the account. */
export type AccountTxRow = z.output<typeof accountTx>

/**
 * Selects the rows of `account_tx as listed` that directly involve an address, the account's own or another. An address took
 * part if it paid or called an address of the account, or was paid or called by one. Other participants of a shared
 * transaction took no part. The same holds for recipients that a token only claims within the acts of others.
 */
const involving = (accountId: string, address: string) => sql.fragment`(
  exists (
    select from stealth_address join address_tx as touched using (address)
    where address = ${address} and account_id = ${accountId}::uuid
      and touched.chain_id = listed.chain_id and touched.tx_hash = listed.tx_hash
  )
  or exists (
    select from indexed_tx as tx
    join stealth_address as own on own.account_id = ${accountId}::uuid
      and own.address = case ${address} when tx.from_address then tx.to_address when tx.to_address then tx.from_address end
    where tx.chain_id = listed.chain_id and tx.tx_hash = listed.tx_hash
    -- One transaction at a time: the planner would hash all of them.
    offset 0
  )
  or exists (
    select from transfer
    join address_tx as touched on touched.chain_id = transfer.chain_id and touched.tx_hash = transfer.tx_hash
      and touched.address = case from_address when ${address} then to_address else from_address end
    join stealth_address on stealth_address.address = touched.address
    where transfer.chain_id = listed.chain_id and transfer.tx_hash = listed.tx_hash
      and ${address} in (from_address, to_address) and account_id = ${accountId}::uuid
      and (from_address = ${address} or ${isSendersAct})
  )
  or exists (
    select from bridge_order where bridge_order.account_id = ${accountId}::uuid and output_recipient = ${address}
      and origin_chain_id = listed.chain_id and deposit_tx = listed.tx_hash
  )
)`

/** The newest transactions of an account after `after`, at most `limit`, newest first, each once. */
export function listAccountTransactions(
  connection: CommonQueryMethods,
  accountId: string,
  page: { after: ActivityCursor | null; limit: number; involving?: string },
): Promise<readonly AccountTxRow[]> {
  const { after, limit, involving: address } = page
  const older = after
    ? sql.fragment`and (block_time, -chain_id, block_number, tx_index)
        < (${sql.timestamp(after.blockTime)}, ${-after.chainId}::bigint, ${after.blockNumber}::bigint, ${after.txIndex}::int)`
    : sql.fragment``
  const wanted = address === undefined ? sql.fragment`` : sql.fragment`and ${involving(accountId, address)}`
  // The order matches an index, so that only the page is read.
  return connection.any(sql.type(accountTx)`
    select chain_id as "chainId", tx_hash as "txHash", block_number as "blockNumber", block_time as "blockTime",
      tx_index as "txIndex"
    from account_tx as listed where account_id = ${accountId}::uuid and ${ofNoOrder(accountId)} ${older} ${wanted}
    order by block_time desc, -chain_id desc, block_number desc, tx_index desc
    limit ${limit}`)
}

const summary = z.object({ count: z.bigint(), chainIds: z.array(z.bigint()).nullable() })

/** Counts the account's transactions that directly involve an address, and lists their chains. */
export async function countInteractions(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<{ count: number; chainIds: number[] }> {
  const { count, chainIds } = await connection.one(sql.type(summary)`
    select count(*) as count, array_agg(distinct chain_id order by chain_id) as "chainIds"
    from account_tx as listed where account_id = ${accountId}::uuid and ${ofNoOrder(accountId)}
      and ${involving(accountId, address)}`)
  return { count: Number(count), chainIds: (chainIds ?? []).map(Number) }
}

/** Returns the given addresses that belong to the account. */
export async function findOwnAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await connection.anyFirst(sql.type(z.object({ address: z.string() }))`
    select address from stealth_address
    where account_id = ${accountId}::uuid and address = any(${sql.array([...addresses], 'text')})`)
  return new Set(found)
}

/** Returns the given addresses that the account made for payments to itself. */
export async function findStopAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  const found = await connection.anyFirst(sql.type(z.object({ address: z.string() }))`
    select address from stealth_address
    where account_id = ${accountId}::uuid and address = any(${sql.array([...addresses], 'text')})
      and generation_context = 'fund-movement'`)
  return new Set(found)
}

const review = z.object({
  label: z.bigint(),
  status: z.enum(['pending', 'approved', 'declined', 'cancelled']),
})

/**
 * Returns the ASP's decisions about deposits by label, in the terms of `pool/commitments`; `cancelled` for a deposit
 * recovered before a decision.
 */
export async function readReviewsOf(
  connection: CommonQueryMethods,
  labels: readonly bigint[],
): Promise<ReadonlyMap<bigint, z.output<typeof review>['status']>> {
  if (labels.length === 0) return new Map()
  const rows = await connection.any(sql.type(review)`
    select label, coalesce(nullif(decision, 'pending'), case when exists (
        select from pool_event where pool_event.label = decided.label and kind = 'ragequit'
      ) then 'cancelled' else 'pending' end) as status
    from (
      select wanted.label, ${ASP_DECISION} as decision
      from (select distinct unnest(${sql.array(labels.map(String), 'numeric')}::numeric[]) as label) as wanted
      left join asp_review as review on review.label = wanted.label
    ) as decided`)
  return new Map(rows.map(({ label, status }) => [label, status]))
}

/** Returns the owners of the addresses. */
export async function findAccountsOf(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ accountId: z.string() }))`
    select distinct account_id as "accountId" from stealth_address
    where address = any(${sql.array([...addresses], 'text')})`)
}

/** A transaction with its block time, which orders the account's transactions. */
interface TimedTransaction {
  chainId: number
  txHash: string
  blockTime: Date
}

/** Returns the transactions that touched an address of the account, as `chainId:txHash`. */
export async function listOwnTransactions(
  connection: CommonQueryMethods,
  accountId: string,
  transactions: readonly TimedTransaction[],
): Promise<ReadonlySet<string>> {
  if (transactions.length === 0) return new Set()
  const keys = sql.unnest(
    transactions.map(({ chainId, txHash, blockTime }) => [chainId, txHash, blockTime.toISOString()]),
    ['int8', 'text', 'timestamptz'],
  )
  const found = await connection.anyFirst(sql.type(z.object({ key: z.string() }))`
    select chain_id || ':' || tx_hash as key
    from ${keys} as wanted (chain_id, tx_hash, block_time) join account_tx using (chain_id, tx_hash, block_time)
    where account_id = ${accountId}::uuid`)
  return new Set(found)
}
