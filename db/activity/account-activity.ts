import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../broadcast/outbound-rows.ts'
import { sql } from '../connect-database.ts'
import type { ActivityCursor } from '../indexer/read-activity.ts'

const accountTx = z.object({
  chainId: smallInteger,
  txHash: hexText,
  blockNumber: z.bigint(),
  blockTime: z.date(),
  txIndex: z.number(),
})
/** A transaction that touched an address of the account. */
export type AccountTxRow = z.output<typeof accountTx>

/** The account's transactions that directly involve an address, its own or somebody else's. */
const involves = (address: string | null) =>
  address === null
    ? sql.fragment`true`
    : sql.fragment`(
        touched.address = ${address}
        or exists (
          select from indexed_tx as tx
          where tx.chain_id = touched.chain_id and tx.tx_hash = touched.tx_hash
            and ${address} in (tx.from_address, tx.to_address)
        )
        or exists (
          select from transfer
          where transfer.chain_id = touched.chain_id and transfer.tx_hash = touched.tx_hash
            and (from_address = ${address} and to_address = touched.address
              or to_address = ${address} and from_address = touched.address)
        )
      )`

/** The newest transactions of an account after `after`, at most `limit`, newest first, each once. */
export function listAccountTransactions(
  connection: CommonQueryMethods,
  accountId: string,
  page: { after: ActivityCursor | null; limit: number; involving?: string },
): Promise<readonly AccountTxRow[]> {
  const { after, limit, involving = null } = page
  const older = after
    ? sql.fragment`(block_time, -touched.chain_id, block_number, tx_index)
        < (${sql.timestamp(after.blockTime)}, ${-after.chainId}::bigint, ${after.blockNumber}::bigint, ${after.txIndex}::int)`
    : sql.fragment`true`
  return connection.any(sql.type(accountTx)`
    select touched.chain_id as "chainId", touched.tx_hash as "txHash", block_number as "blockNumber",
      block_time as "blockTime", tx_index as "txIndex"
    from stealth_address join address_tx as touched using (address)
    where account_id = ${accountId}::uuid and ${older} and ${involves(involving)}
    group by touched.chain_id, touched.tx_hash, block_number, block_time, tx_index
    order by block_time desc, touched.chain_id, block_number desc, tx_index desc
    limit ${limit}`)
}

const summary = z.object({ count: z.bigint(), chainIds: z.array(z.bigint()).nullable() })

/** How many of the account's transactions directly involve an address, and on which chains. */
export async function countInteractions(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<{ count: number; chainIds: number[] }> {
  const { count, chainIds } = await connection.one(sql.type(summary)`
    select count(distinct (touched.chain_id, touched.tx_hash)) as count,
      array_agg(distinct touched.chain_id order by touched.chain_id) as "chainIds"
    from stealth_address join address_tx as touched using (address)
    where account_id = ${accountId}::uuid and ${involves(address)}`)
  return { count: Number(count), chainIds: (chainIds ?? []).map(Number) }
}

/** Those of the addresses that are the account's. */
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

const review = z.object({
  label: z.bigint(),
  status: z.enum(['pending', 'approved', 'declined']),
})

/** What the ASP made of deposits, by label; a label that it has not spoken of is absent. */
export async function readReviewsOf(
  connection: CommonQueryMethods,
  labels: readonly bigint[],
): Promise<ReadonlyMap<bigint, z.output<typeof review>['status']>> {
  if (labels.length === 0) return new Map()
  const rows = await connection.any(sql.type(review)`
    select label, status from asp_review where label = any(${sql.array(labels.map(String), 'numeric')}::numeric[])`)
  return new Map(rows.map(({ label, status }) => [label, status]))
}

/** Whose the addresses are. */
export async function findAccountsOf(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ accountId: z.string() }))`
    select distinct account_id as "accountId" from stealth_address
    where address = any(${sql.array([...addresses], 'text')})`)
}
