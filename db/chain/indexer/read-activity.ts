import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { indexedTxRow, transferRow, type IndexedTxRow } from './rows.ts'

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

const partTransferRow = transferRow.extend({ isCut: z.boolean(), place: z.number() })
/** A transfer with the `place` of its transaction in the page; `isCut` where the transaction has more transfers than are read. */
export type PartTransferRow = z.output<typeof partTransferRow>

/** Most transfers read of one transaction; the native coin and ERC-20s come before collectibles. */
const MOST_TRANSFERS = 100
/** Most transfers read at a time for a page of transactions. */
const MOST_AT_ONCE = 1_000
/** Most transfers scanned from, and to, an address in one transaction. */
const MOST_LOOKED_AT = 1_000

/**
 * Reads the transfers from and to addresses of the account in the first of those transactions, in chain order. Anybody
 * can put thousands of transfers into one transaction. So it reads at most a hundred of each transaction, found by the
 * account's own addresses, and stops after a thousand.
 * @returns The transfers, and the number of transactions that they cover, at least one.
 */
export async function readTransfersOf(
  connection: CommonQueryMethods,
  accountId: string,
  transactions: readonly (TxKey & { blockNumber: bigint })[],
): Promise<{ transfers: readonly PartTransferRow[]; of: number }> {
  const wanted = sql.unnest(
    transactions.map(({ chainId, txHash, blockNumber }, place) => [chainId, txHash, blockNumber, place]),
    ['int8', 'text', 'int8', 'int4'],
  )
  const movedBy = (side: 'from_address' | 'to_address') => sql.fragment`(
    select * from transfer
    where ${sql.identifier([side])} = mine.address and transfer.chain_id = wanted.chain_id
      and transfer.block_number = wanted.block_number and transfer.tx_hash = wanted.tx_hash
    limit ${MOST_LOOKED_AT})`
  const read = await connection.any(sql.type(partTransferRow)`
    select ${transferColumns}, "isCut", wanted.place
    from ${wanted} as wanted (chain_id, tx_hash, block_number, place) cross join lateral (
      select own.*, count(*) over () > ${MOST_TRANSFERS} as "isCut" from (
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
    order by wanted.place, source, position, item limit ${MOST_AT_ONCE + 1}`)
  const last = read.at(MOST_AT_ONCE)
  // The last transaction may be incomplete; a single one never is.
  const of = last ? last.place : transactions.length
  return { transfers: read.filter(({ place }) => place < of), of }
}

/** Reads the transactions that are indexed. */
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
