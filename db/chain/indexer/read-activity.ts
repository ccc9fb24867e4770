import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { indexedTxRow, intentEventRow, transferRow } from './rows.ts'
import type { IndexedTxRow, IntentEventRow, TransferRow } from './rows.ts'

const addressActivity = z.object({
  address: hexText,
  activityCount: smallInteger,
  firstSeen: z.date(),
  lastSeen: z.date(),
})
/** How many transactions touched an address on all chains; first and last by the time of their blocks. */
export type AddressActivity = z.output<typeof addressActivity>

/** Of those addresses that have any activity. */
export function readActivityCounts(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly AddressActivity[]> {
  return connection.any(sql.type(addressActivity)`
    select address, count(*) as "activityCount", min(block_time) as "firstSeen", max(block_time) as "lastSeen"
    from address_tx where address = any(${sql.array(addresses, 'text')})
    group by address order by address`)
}

/** Those of the addresses that a transaction has touched, or that have anything. */
export async function findActiveAddresses(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await connection.anyFirst(sql.type(z.object({ address: hexText }))`
    select address from unnest(${sql.array(addresses, 'text')}) as asked (address)
    where exists (select from address_tx where address_tx.address = asked.address)
      or exists (select from holding where holding.address = asked.address and amount > 0)
      or exists (select from transfer where to_address = asked.address)`)
  return new Set(found)
}

const addressTx = z.object({
  address: hexText,
  chainId: smallInteger,
  txHash: hexText,
  blockNumber: z.bigint(),
  blockTime: z.date(),
  txIndex: z.number(),
})
/** A transaction that touched an address. */
export type AddressTxRow = z.output<typeof addressTx>
/** Where a page ended. */
export type ActivityCursor = Pick<AddressTxRow, 'blockTime' | 'chainId' | 'blockNumber' | 'txIndex'>

/**
 * The newest transactions that touched any of the addresses, one row for each, newest first; of addresses that share a
 * transaction the first by text. After `after`, at most `limit`.
 */
export function readActivity(
  connection: CommonQueryMethods,
  addresses: readonly string[],
  page: { after: ActivityCursor | null; limit: number },
): Promise<readonly AddressTxRow[]> {
  const { after, limit } = page
  const older = after
    ? sql.fragment`and (block_time, -chain_id, block_number, tx_index)
        < (${sql.timestamp(after.blockTime)}, ${-after.chainId}::bigint, ${after.blockNumber}, ${after.txIndex})`
    : sql.fragment``
  return connection.any(sql.type(addressTx)`
    select min(address) as address, chain_id as "chainId", tx_hash as "txHash", block_number as "blockNumber",
      block_time as "blockTime", tx_index as "txIndex"
    from address_tx where address = any(${sql.array(addresses, 'text')}) ${older}
    group by chain_id, tx_hash, block_number, block_time, tx_index
    order by block_time desc, chain_id, block_number desc, tx_index desc
    limit ${limit}`)
}

const transferColumns = sql.fragment`
  chain_id as "chainId", block_hash as "blockHash", source, position, item, block_number as "blockNumber",
  block_time as "blockTime", tx_hash as "txHash", standard, token, token_id as "tokenId",
  from_address as "from", to_address as "to", amount`

interface TxKey {
  chainId: number
  txHash: string
}
const txKeys = (keys: readonly TxKey[]) =>
  sql.unnest(
    keys.map(({ chainId, txHash }) => [chainId, txHash]),
    ['int8', 'text'],
  )

/** The transfers of those transactions that concern watched addresses, in the order of the chain. */
export function readTransfersOf(
  connection: CommonQueryMethods,
  transactions: readonly TxKey[],
): Promise<readonly TransferRow[]> {
  return connection.any(sql.type(transferRow)`
    select ${transferColumns} from transfer
    where (chain_id, tx_hash) in (select * from ${txKeys(transactions)} as wanted (chain_id, tx_hash))
    order by chain_id, block_number, source, position, item`)
}

/** The transfers from or to the addresses, newest first. */
export function readTransfers(
  connection: CommonQueryMethods,
  addresses: readonly string[],
  limit: number,
): Promise<readonly TransferRow[]> {
  const wanted = sql.array(addresses, 'text')
  return connection.any(sql.type(transferRow)`
    select ${transferColumns} from transfer
    where from_address = any(${wanted}) or to_address = any(${wanted})
    order by block_time desc, chain_id, block_number desc, source, position desc, item desc
    limit ${limit}`)
}

/** Those of the transactions that are indexed. */
export function readIndexedTxs(
  connection: CommonQueryMethods,
  transactions: readonly TxKey[],
): Promise<readonly IndexedTxRow[]> {
  return connection.any(sql.type(indexedTxRow)`
    select chain_id as "chainId", tx_hash as "txHash", block_hash as "blockHash", block_number as "blockNumber",
      block_time as "blockTime", tx_index as "txIndex", from_address as "from", to_address as "to",
      tx_nonce as "txNonce", value, succeeded, gas_used as "gasUsed", fee, selector
    from indexed_tx
    where (chain_id, tx_hash) in (select * from ${txKeys(transactions)} as wanted (chain_id, tx_hash))
    order by chain_id, block_number, tx_index`)
}

/** IntentExecuted for an address, in the order of the chain. */
export function readIntentEvents(
  connection: CommonQueryMethods,
  eoa: string,
): Promise<readonly IntentEventRow[]> {
  return connection.any(sql.type(intentEventRow)`
    select chain_id as "chainId", block_hash as "blockHash", log_index as "logIndex", block_number as "blockNumber",
      block_time as "blockTime", tx_hash as "txHash", orchestrator, eoa, intent_nonce as "intentNonce", incremented, err
    from intent_event where eoa = ${eoa} order by chain_id, block_number, log_index`)
}
