import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'
import { indexedTxRow, transferRow, type IndexedTxRow, type TransferRow } from './rows.ts'

const transferColumns = sql.fragment`
  shown.chain_id as "chainId", block_hash as "blockHash", source, position, item, shown.block_number as "blockNumber",
  block_time as "blockTime", shown.tx_hash as "txHash", standard, token, token_id as "tokenId",
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

/** Transfers of one transaction that are read; the native coin and ERC-20s come before collectibles. */
const MOST_TRANSFERS = 100
/** Transfers from, and to, an address in one transaction that are looked at for that. */
const MOST_LOOKED_AT = 1_000

/**
 * The transfers from and to addresses of the account in those transactions, in the order of the chain. Anybody can put thousands
 * into one transaction, so no more than a hundred of each are read, by the account's own rows of it.
 */
export function readTransfersOf(
  connection: CommonQueryMethods,
  accountId: string,
  transactions: readonly (TxKey & { blockNumber: bigint })[],
): Promise<readonly TransferRow[]> {
  const wanted = sql.unnest(
    transactions.map(({ chainId, txHash, blockNumber }) => [chainId, txHash, blockNumber]),
    ['int8', 'text', 'int8'],
  )
  const movedBy = (side: 'from_address' | 'to_address') => sql.fragment`(
    select * from transfer
    where ${sql.identifier([side])} = mine.address and transfer.chain_id = wanted.chain_id
      and transfer.block_number = wanted.block_number and transfer.tx_hash = wanted.tx_hash
    limit ${MOST_LOOKED_AT})`
  return connection.any(sql.type(transferRow)`
    select ${transferColumns}
    from ${wanted} as wanted (chain_id, tx_hash, block_number) cross join lateral (
      select * from (
        select distinct on (moved.block_hash, moved.source, moved.position, moved.item) moved.*
        from address_tx as touched cross join lateral (
          select address from stealth_address
          where stealth_address.address = touched.address and account_id = ${accountId}::uuid offset 0
        ) as mine cross join lateral (${movedBy('from_address')} union all ${movedBy('to_address')}) as moved
        where touched.chain_id = wanted.chain_id and touched.block_number = wanted.block_number
          and touched.tx_hash = wanted.tx_hash
      ) as own
      order by standard in ('native', 'erc20') desc, source, position, item limit ${MOST_TRANSFERS}
    ) as shown
    order by shown.chain_id, shown.block_number, source, position, item`)
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
