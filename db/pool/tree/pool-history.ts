import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { isMadeByIntent } from '../book/crowd.ts'
import type { PoolKey } from '../notes/pool-conversions.ts'

/** Leaves of a full page. */
export const PAGE_LEAVES = 4_096

const leafPlace = z.object({
  /** Position of the leaf in the tree, from 1 on. */
  leafIndex: z.number(),
  blockNumber: z.string().transform(BigInt),
  blockHash: hexText,
  logIndex: z.number(),
  /** The pool's root with that leaf. */
  root: z.string().transform(BigInt),
})
/** Position on the chain at which a leaf was inserted. */
export type LeafPlace = z.output<typeof leafPlace>

const historyRow = z.object({
  last: leafPlace.nullable(),
  leafCount: smallInteger,
  leaves: z.string(),
  spentCount: smallInteger,
  spent: z.string(),
  ragequitCount: smallInteger,
  ragequits: z.string(),
})

/** Items of a list as JSON without its brackets; empty without items. */
export interface ItemsText {
  count: number
  text: string
}

/** Events of a pool from one leaf on, in chain order. */
export interface HistoryPage {
  /** The last leaf of the page. */
  last: LeafPlace | null
  leaves: ItemsText
  /** Spent notes: nullifierHash, withdrawnValue, newCommitment. */
  spent: ItemsText
  /** Recovered notes: commitment, label, value. */
  ragequits: ItemsText
  /** True if another page may follow. A full page changes only if a reorg reverts its last leaf. */
  isFull: boolean
}

/**
 * Reads the next 4,096 leaves after one, or all that there are, with the notes spent and recovered meanwhile.
 * PostgreSQL builds the texts: a hundredth of what rows cost this process.
 *
 * @returns Null if leaves are missing in between.
 */
export async function readHistoryPage(
  connection: CommonQueryMethods,
  pool: PoolKey,
  after: LeafPlace | null,
): Promise<HistoryPage | null> {
  const from = after?.leafIndex ?? 0
  const since = sql.fragment`(${after?.blockNumber ?? -1n}::bigint, ${after?.logIndex ?? -1}::integer)`
  const until = sql.fragment`((select block_number from border), (select log_index from border))`
  const ofPool = (kind: string) =>
    sql.fragment`chain_id = ${pool.chainId} and contract = ${pool.address} and kind = ${kind}`
  const told = (kind: string, text: ReturnType<typeof sql.fragment>) => sql.fragment`(
    select count(*) as count, coalesce(string_agg(${text}, ',' order by block_number, log_index), '') as text
    from pool_event where ${ofPool(kind)}
      and (block_number, log_index) > ${since} and (block_number, log_index) <= ${until})`
  const row = await connection.one(sql.type(historyRow)`
    with leaf as materialized (
      select leaf_index, commitment, root, block_number, block_hash, log_index from pool_event
      where ${ofPool('leaf')} and leaf_index > ${from} order by leaf_index limit ${PAGE_LEAVES}
    ), last as (
      select * from leaf order by leaf_index desc limit 1
    ), border as materialized (
      select coalesce(max(block_number), 9223372036854775807) as block_number,
        coalesce(max(log_index), 2147483647) as log_index
      from last where (select count(*) from leaf) = ${PAGE_LEAVES}
    )
    select
      (select json_build_object('leafIndex', leaf_index, 'blockNumber', block_number::text, 'blockHash', block_hash,
        'logIndex', log_index, 'root', root::text) from last) as last,
      told.count as "leafCount", told.text as leaves, spent.count as "spentCount", spent.text as spent,
      ragequit.count as "ragequitCount", ragequit.text as ragequits
    from (
      select count(distinct leaf_index) as count,
        coalesce(string_agg('"' || commitment || '"', ',' order by leaf_index), '') as text
      from leaf
    ) as told, ${told(
      'withdrawal',
      sql.fragment`'{"nullifierHash":"' || nullifier_hash || '","withdrawnValue":"' || value
        || '","newCommitment":"' || commitment || '"}'`,
    )} as spent, ${told(
      'ragequit',
      sql.fragment`'{"commitment":"' || commitment || '","label":"' || label || '","value":"' || value || '"}'`,
    )} as ragequit`)
  if ((row.last?.leafIndex ?? from) - from !== row.leafCount) return null
  return {
    last: row.last,
    leaves: { count: row.leafCount, text: row.leaves },
    spent: { count: row.spentCount, text: row.spent },
    ragequits: { count: row.ragequitCount, text: row.ragequits },
    isFull: row.leafCount === PAGE_LEAVES,
  }
}

/** True if a leaf is still at its position on the chain, and with it every earlier event. */
export function isLeafInPlace(
  connection: CommonQueryMethods,
  pool: PoolKey,
  leaf: LeafPlace,
): Promise<boolean> {
  return connection.exists(sql.typeAlias('void')`
    select from pool_event
    where chain_id = ${pool.chainId} and block_hash = ${leaf.blockHash} and log_index = ${leaf.logIndex}`)
}

/**
 * Reads a pool's root after `leaves` leaves, from the event of the last of them. Null if `leaf`, up to which the caller
 * knows the pool, has moved.
 */
export async function readPrefixRoot(
  connection: CommonQueryMethods,
  pool: PoolKey,
  leaves: number,
  leaf: LeafPlace,
): Promise<bigint | null> {
  return connection.maybeOneFirst(sql.type(z.object({ root: z.bigint().nullable() }))`
    select root from pool_event
    where chain_id = ${pool.chainId} and contract = ${pool.address} and kind = 'leaf' and leaf_index = ${leaves}
      and exists (
        select from pool_event
        where chain_id = ${pool.chainId} and block_hash = ${leaf.blockHash} and log_index = ${leaf.logIndex})
    limit 1`)
}

const mark = z.object({ mark: z.string() })

/** Returns a text that changes with every event of a pool, and when a reorg reverts one. */
export function readHistoryMark(connection: CommonQueryMethods, pool: PoolKey): Promise<string> {
  const newest = (kind: string) => sql.fragment`coalesce((
    select block_hash || '-' || log_index from pool_event
    where chain_id = ${pool.chainId} and contract = ${pool.address} and kind = ${kind}
    order by block_number desc, log_index desc limit 1), '')`
  return connection.oneFirst(sql.type(mark)`
    select ${newest('leaf')} || ' ' || ${newest('withdrawal')} || ' ' || ${newest('ragequit')} as mark`)
}

const bucket = z.object({ step: z.bigint(), deposits: smallInteger })

/**
 * Counts a pool's deposits by intents that are in the association set and not recovered, by value. Values are rounded
 * down to 1, 2 or 5 times a power of ten of the smallest unit.
 */
export function countApprovedDeposits(
  connection: CommonQueryMethods,
  pool: PoolKey,
): Promise<readonly z.output<typeof bucket>[]> {
  return connection.any(sql.type(bucket)`
    select step, count(*) as deposits from (
      select case when lead >= 5 then 5 when lead >= 2 then 2 else 1 end * rpad('1', length(value::text), '0')::numeric
        as step
      from (
        select value, left(value::text, 1)::integer as lead from pool_event as deposit
        where chain_id = ${pool.chainId} and contract = ${pool.address} and kind = 'deposit' and value > 0
          and ${isMadeByIntent}
          and exists (
            select from asp_set where asp_set.chain_id = deposit.chain_id and asp_set.label = deposit.label)
          and not exists (
            select from pool_event as ragequit
            where ragequit.label = deposit.label and ragequit.chain_id = deposit.chain_id
              and ragequit.contract = deposit.contract and ragequit.kind = 'ragequit')
      ) as approved
    ) as rounded
    group by step order by step`)
}
