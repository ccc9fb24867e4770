import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { poolEventRow, type PoolEventRow } from './rows.ts'

const columns = sql.fragment`
  chain_id as "chainId", block_hash as "blockHash", log_index as "logIndex", block_number as "blockNumber",
  block_time as "blockTime", tx_hash as "txHash", kind, contract, pool, asset, account, relayer, value, fee, commitment,
  label, precommitment, nullifier_hash as "nullifierHash", root, leaf_index as "leafIndex", scope,
  ipfs_cid as "ipfsCid"`

/** Events of pools and Entrypoint in those transactions, in the order of the chain. */
export function readPoolEventsOf(
  connection: CommonQueryMethods,
  transactions: readonly { chainId: number; txHash: string }[],
): Promise<readonly PoolEventRow[]> {
  const keys = sql.unnest(
    transactions.map(({ chainId, txHash }) => [chainId, txHash]),
    ['int8', 'text'],
  )
  return connection.any(sql.type(poolEventRow)`
    select ${columns} from pool_event
    where (chain_id, tx_hash) in (select * from ${keys} as wanted (chain_id, tx_hash))
    order by chain_id, block_number, log_index`)
}

/** Contracts that were registered as pools by an Entrypoint: also those that were removed since, which go on emitting events. */
export function readPoolContracts(
  connection: CommonQueryMethods,
  chainId: number,
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ pool: hexText }))`
    select distinct pool from pool_event
    where chain_id = ${chainId} and kind = 'pool-registered' and pool is not null`)
}
