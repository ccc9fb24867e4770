import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'
import { indexedTxRow, transferRow, type IndexedTxRow, type TransferRow } from './rows.ts'

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

/** Those of the transactions that are indexed. */
export function readIndexedTxs(
  connection: CommonQueryMethods,
  transactions: readonly TxKey[],
): Promise<readonly IndexedTxRow[]> {
  return connection.any(sql.type(indexedTxRow)`
    select chain_id as "chainId", tx_hash as "txHash", block_hash as "blockHash", block_number as "blockNumber",
      block_time as "blockTime", tx_index as "txIndex", from_address as "from", to_address as "to",
      tx_nonce as "txNonce", value, succeeded, gas_used as "gasUsed", fee, selector, input
    from indexed_tx
    where (chain_id, tx_hash) in (select * from ${txKeys(transactions)} as wanted (chain_id, tx_hash))
    order by chain_id, block_number, tx_index`)
}
