import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import {
  holdingRow,
  poolEventRow,
  transferRow,
  type HoldingRow,
  type PoolEventKind,
  type PoolEventRow,
  type TransferRow,
} from '../../db/chain/indexer/rows.ts'
import { hexText, smallInteger } from '../../db/column-types.ts'
import { sql } from '../../db/connect-database.ts'

const addressActivity = z.object({
  address: hexText,
  activityCount: smallInteger,
  firstSeen: z.date(),
  lastSeen: z.date(),
})
/** How many transactions concerned an address on all chains; first and last by block time. */
type AddressActivity = z.output<typeof addressActivity>

/** Only the addresses with activity are listed. */
export function readActivityCounts(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly AddressActivity[]> {
  return connection.any(sql.type(addressActivity)`
    select address, count(*) as "activityCount", min(block_time) as "firstSeen", max(block_time) as "lastSeen"
    from address_tx where address = any(${sql.array(addresses, 'text')})
    group by address order by address`)
}

/** The addresses that a transaction has concerned, or that hold something. */
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

const transferColumns = sql.fragment`
  chain_id as "chainId", block_hash as "blockHash", source, position, item, block_number as "blockNumber",
  block_time as "blockTime", tx_hash as "txHash", standard, token, token_id as "tokenId",
  from_address as "from", to_address as "to", amount`

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

const holdingColumns = sql.fragment`
  chain_id as "chainId", address, standard, token, token_id as "tokenId", amount, stale,
  as_of_number as "asOfNumber", as_of_hash as "asOfHash"`

/** Native coins and ERC-20 tokens of the addresses on every chain. Only stale rows may have an amount of zero. */
export function readHoldings(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly HoldingRow[]> {
  return connection.any(sql.type(holdingRow)`
    select ${holdingColumns} from holding
    where address = any(${sql.array(addresses, 'text')}) and standard in ('native', 'erc20') and (amount > 0 or stale)
    order by chain_id, token, address`)
}

/** ERC-721 and ERC-1155 tokens of the addresses, with the amount of each id. */
export function readNftHoldings(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly HoldingRow[]> {
  return connection.any(sql.type(holdingRow)`
    select ${holdingColumns} from holding
    where address = any(${sql.array(addresses, 'text')}) and standard in ('erc721', 'erc1155') and (amount > 0 or stale)
    order by chain_id, token, token_id, address`)
}

const eventColumns = sql.fragment`
  chain_id as "chainId", block_hash as "blockHash", log_index as "logIndex", block_number as "blockNumber",
  block_time as "blockTime", tx_hash as "txHash", kind, contract, pool, asset, account, relayer, value, fee, commitment,
  label, precommitment, nullifier_hash as "nullifierHash", root, leaf_index as "leafIndex", scope,
  ipfs_cid as "ipfsCid"`

/** Events of a contract (a pool or the Entrypoint) in the order of the chain; of all kinds unless some are given. */
export function readPoolEvents(
  connection: CommonQueryMethods,
  contract: { chainId: number; address: string },
  kinds: readonly PoolEventKind[] | null = null,
): Promise<readonly PoolEventRow[]> {
  return connection.any(sql.type(poolEventRow)`
    select ${eventColumns} from pool_event
    where chain_id = ${contract.chainId} and contract = ${contract.address}
      and (${kinds === null} or kind = any(${sql.array(kinds ?? [], 'text')}))
    order by block_number, log_index`)
}

/** The events of deposits: the deposit and the ragequit of each label, oldest first. */
export function readPoolEventsOfLabels(
  connection: CommonQueryMethods,
  labels: readonly bigint[],
): Promise<readonly PoolEventRow[]> {
  return connection.any(sql.type(poolEventRow)`
    select ${eventColumns} from pool_event
    where label = any(${sql.array(labels.map(String), 'numeric')}::numeric[])
    order by chain_id, block_number, log_index`)
}
