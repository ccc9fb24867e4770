import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { poolEventRow, type PoolEventRow } from './rows.ts'

/** The native coin as the pools name it. */
const NATIVE_ASSET = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

const columns = sql.fragment`
  chain_id as "chainId", block_hash as "blockHash", log_index as "logIndex", block_number as "blockNumber",
  block_time as "blockTime", tx_hash as "txHash", kind, contract, pool, asset, account, relayer, value, fee, commitment,
  label, precommitment, nullifier_hash as "nullifierHash", root, leaf_index as "leafIndex", scope,
  ipfs_cid as "ipfsCid"`

/** Events of pools and Entrypoint in those transactions, in chain order. */
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

/** Contracts that an Entrypoint ever registered as pools. Removed pools are included, because they go on emitting events. */
export function readPoolContracts(
  connection: CommonQueryMethods,
  chainId: number,
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ pool: hexText }))`
    select distinct pool from pool_event
    where chain_id = ${chainId} and kind = 'pool-registered' and pool is not null`)
}

/** Contracts that registered pools on a chain: the Entrypoint, and those configured earlier. */
export function readEntrypoints(connection: CommonQueryMethods, chainId: number): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ contract: hexText }))`
    select distinct contract from pool_event where chain_id = ${chainId} and kind = 'pool-registered'`)
}

const poolAsset = z.object({ chainId: smallInteger, pool: hexText, asset: hexText })

/** Assets of pools as the pools name them: 0xEeee… is the native coin. Pools that no Entrypoint registered are absent. */
export function readPoolAssets(
  connection: CommonQueryMethods,
  pools: readonly { chainId: number; pool: string }[],
): Promise<readonly z.output<typeof poolAsset>[]> {
  return connection.any(sql.type(poolAsset)`
    select wanted.chain_id as "chainId", wanted.pool, registered.asset
    from ${sql.unnest(
      pools.map(({ chainId, pool }) => [chainId, pool]),
      ['int8', 'text'],
    )} as wanted (chain_id, pool) join lateral (
      select asset from pool_event
      where chain_id = wanted.chain_id and kind = 'pool-registered' and pool = wanted.pool limit 1
    ) as registered on true`)
}

const funded = z.object({ address: hexText, at: z.date() })

/** Last time that a pool paid each address: an Entrypoint sent it exactly the amount of a relay event in the same transaction. */
export function listPrivatelyFunded(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly z.output<typeof funded>[]> {
  return connection.any(sql.type(funded)`
    select to_address as address, max(transfer.block_time) as at
    from transfer join pool_event as relay using (chain_id, tx_hash)
    where to_address = any(${sql.array([...addresses], 'text')}) and standard in ('native', 'erc20')
      and relay.kind = 'relay' and relay.contract = from_address and relay.value - relay.fee = amount
      and token = case relay.asset when ${NATIVE_ASSET} then '0x0000000000000000000000000000000000000000'
        else relay.asset end
    group by to_address`)
}
