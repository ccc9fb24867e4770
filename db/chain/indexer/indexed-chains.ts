import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { isDue } from './holdings.ts'

/** Another instance has leased the chain, or its cursor moved elsewhere. */
export class ChainLostError extends Error {
  override name = 'ChainLostError'
}

const cursorRow = z.object({
  startBlock: z.bigint(),
  blockNumber: z.bigint(),
  blockHash: hexText.nullable(),
})
/** The newest indexed block; `blockHash` is null before the first, `blockNumber` then the one before the start. */
export type IndexCursor = z.output<typeof cursorRow>

const cursorColumns = sql.fragment`
  start_block as "startBlock", block_number as "blockNumber", block_hash as "blockHash"`

const leaseRow = cursorRow.extend({
  term: z.bigint(),
  /** Whether pool events were read with the blocks. */
  withPools: z.boolean(),
  /** Newest block that did not show all moves of native coins, and the block up to which balances were compared since. */
  untracedTo: z.bigint().nullable(),
  sweptTo: z.bigint().nullable(),
})
/** A lease of a chain with the chain's position; a change of owner begins a new term. */
export type ChainLease = z.output<typeof leaseRow>

/** Acquires or renews the lease of a chain. @returns Null while another instance holds it. */
export function leaseChain(
  pool: CommonQueryMethods,
  lease: { chainId: number; startBlock: bigint; owner: string; leaseMs: number },
): Promise<ChainLease | null> {
  const { chainId, startBlock, owner, leaseMs } = lease
  return pool.maybeOne(sql.type(leaseRow)`
    insert into indexed_chain (chain_id, start_block, block_number, lease_owner, lease_until)
    values (${chainId}, ${startBlock}, ${startBlock - 1n}, ${owner}::uuid, now() + ${leaseMs} * interval '1 ms')
    on conflict (chain_id) do update set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until,
        lease_term = indexed_chain.lease_term
          + case when indexed_chain.lease_owner is distinct from excluded.lease_owner then 1 else 0 end
      where indexed_chain.lease_owner is null or indexed_chain.lease_owner = excluded.lease_owner
        or indexed_chain.lease_until < now()
    returning ${cursorColumns}, lease_term as term, with_pools as "withPools",
      untraced_to as "untracedTo", swept_to as "sweptTo"`)
}

/** Releases all leases of an instance. */
export async function releaseChains(pool: CommonQueryMethods, owner: string): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    with held as materialized (
      -- In the order of all who hold several, or they could wait for each other.
      select chain_id from indexed_chain where lease_owner = ${owner}::uuid order by chain_id for no key update
    )
    update indexed_chain set lease_owner = null, lease_until = null
    where chain_id in (select chain_id from held) and lease_owner = ${owner}::uuid`)
}

/**
 * Locks the chain until the transaction ends.
 * @throws ChainLostError when `owner` no longer holds its lease for this term.
 */
export async function lockChain(
  transaction: CommonQueryMethods,
  { chainId, owner, term }: { chainId: number; owner: string; term: bigint },
): Promise<IndexCursor> {
  const row = await transaction.maybeOne(sql.type(cursorRow)`
    select ${cursorColumns} from indexed_chain
    where chain_id = ${chainId} and lease_owner = ${owner}::uuid and lease_term = ${term}
      and lease_until > now()
    for no key update`)
  if (!row) throw new ChainLostError(`chain ${chainId} is indexed by another instance`)
  return row
}

/** Sets the newest indexed block, and the newest that did not show all moves of native coins, if any. */
export async function setCursor(
  transaction: CommonQueryMethods,
  chainId: number,
  block: { number: bigint; hash: string | null; untracedTo: bigint | null },
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update indexed_chain set block_number = ${block.number}, block_hash = ${block.hash},
      untraced_to = greatest(untraced_to, ${block.untracedTo}::bigint), swept_to = least(swept_to, ${block.number}),
      updated_at = now()
    where chain_id = ${chainId}`)
}

/** Records the block up to which the native balances of all watched addresses were compared. */
export async function setSweptTo(
  transaction: CommonQueryMethods,
  chainId: number,
  number: bigint,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update indexed_chain set swept_to = ${number} where chain_id = ${chainId}`)
}

/** Records whether pool events are read with the chain's blocks from now on. */
export async function setWithPools(
  transaction: CommonQueryMethods,
  chainId: number,
  withPools: boolean,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update indexed_chain set with_pools = ${withPools} where chain_id = ${chainId}`)
}

/** Counts rows that the database refused. */
export async function countSetAside(
  transaction: CommonQueryMethods,
  chainId: number,
  rows: number,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update indexed_chain set rows_set_aside = rows_set_aside + ${rows} where chain_id = ${chainId}`)
}

/** Records the state and the problem of a chain when they changed. `live` ends a resync; a problem alone changes no state. */
export async function setChainState(
  pool: CommonQueryMethods,
  chainId: number,
  owner: string,
  { live, problem }: { live: boolean; problem: string | null },
): Promise<void> {
  const state = live
    ? sql.fragment`'live'`
    : sql.fragment`case when state = 'resyncing' then state else 'syncing' end`
  await pool.query(sql.typeAlias('void')`
    update indexed_chain set state = ${state}, problem = ${problem}
    where chain_id = ${chainId} and lease_owner = ${owner}::uuid
      and (state, problem) is distinct from (${state}, ${problem}::text)`)
}

const progressRow = z.object({
  chainId: smallInteger,
  startBlock: z.bigint(),
  blockNumber: z.bigint(),
  blockHash: hexText.nullable(),
  state: z.enum(['syncing', 'live', 'resyncing']),
  problem: z.string().nullable(),
  reorgs: smallInteger,
  deepestReorg: smallInteger,
  resyncs: smallInteger,
  leaseOwner: z.string().nullable(),
  watched: smallInteger,
  backfilling: smallInteger,
  stale: smallInteger,
  problemHoldings: smallInteger,
  rowsSetAside: smallInteger,
  untracedTo: z.bigint().nullable(),
  sweptTo: z.bigint().nullable(),
  blocksLeftOut: smallInteger,
  blocksGivenUp: smallInteger,
})
/** The state of one chain's indexer, as the health page shows it. */
export type IndexedChainRow = z.output<typeof progressRow>

/** Most watched addresses that are counted exactly. */
const COUNTED = 10_000

/**
 * Reads the state of every chain that was ever indexed. Counts of holdings stop at 100,000. Beyond the exact limit,
 * PostgreSQL's estimate of all stealth addresses replaces the count of watched ones, because every chain watches them
 * all.
 */
export function readIndexedChains(pool: CommonQueryMethods): Promise<readonly IndexedChainRow[]> {
  return pool.any(sql.type(progressRow)`
    select chain_id as "chainId", ${cursorColumns}, state, problem, reorgs, deepest_reorg as "deepestReorg", resyncs,
      lease_owner::text as "leaseOwner",
      (select case when count(*) <= ${COUNTED}::int4 then count(*) else greatest(count(*), (
          select reltuples::int8 from pg_class where oid = 'stealth_address'::regclass)) end
        from (select from watched_address watched where watched.chain_id = chain.chain_id limit ${COUNTED + 1}::int4) w)
        as watched,
      (select count(*) from watched_address watched where watched.chain_id = chain.chain_id
        and history_next is not null and pass is null)
        + (select count(*) from watched_address watched where watched.chain_id = chain.chain_id
          and pass is not null) as backfilling,
      (select count(*) from (select from holding where holding.chain_id = chain.chain_id and ${isDue}
        limit 100000) s) as stale,
      (select count(*) from (select from holding where holding.chain_id = chain.chain_id and problem is not null
        limit 100000) s) as "problemHoldings",
      rows_set_aside as "rowsSetAside", untraced_to as "untracedTo", swept_to as "sweptTo",
      (select count(*) from left_out_block left_out where left_out.chain_id = chain.chain_id) as "blocksLeftOut",
      blocks_given_up as "blocksGivenUp"
    from indexed_chain chain order by chain_id`)
}

const syncRow = z.object({ blockNumber: z.bigint(), isSettled: z.boolean() })

/**
 * The newest indexed block of a chain, and whether no reads are pending: cheap enough for polling. Null before the
 * first block.
 */
export function readSyncState(
  pool: CommonQueryMethods,
  chainId: number,
): Promise<z.output<typeof syncRow> | null> {
  return pool.maybeOne(sql.type(syncRow)`
    select block_number as "blockNumber", state <> 'resyncing'
        and not exists (select from holding where holding.chain_id = chain.chain_id and ${isDue})
        and not exists (select from watched_address watched
          where watched.chain_id = chain.chain_id and history_next is not null and pass is null)
        and not exists (select from watched_address watched
          where watched.chain_id = chain.chain_id and pass is not null) as "isSettled"
    from indexed_chain chain where chain_id = ${chainId} and block_hash is not null`)
}
