import type { DatabasePool } from 'slonik'
import { sql } from '../../db/connect-database.ts'
import type { PoolKey } from '../../db/pool/notes/pool-conversions.ts'

/** Writes a pool's past: a leaf in each block, every second one the change of a spent note. */
export async function fillPool(database: DatabasePool, pool: PoolKey, leaves: number): Promise<void> {
  for (let from = 1; from <= leaves; from += SLICE) await fillPart(database, pool, from, from + SLICE - 1)
  await database.query(sql.typeAlias('void')`analyze pool_event`)
}

/**
 * Removes the indexes of events that no read of a pool's history uses: filling a large pool takes a third of the time.
 */
export async function dropUnusedIndexes(database: DatabasePool): Promise<void> {
  for (const name of ['block', 'tx', 'nullifier', 'label', 'commitment', 'account'])
    await database.query(sql.typeAlias('void')`drop index ${sql.identifier([`pool_event_${name}`])}`)
}

/** Leaves of one statement, far below the database's limit. */
const SLICE = 20_000

async function fillPart(database: DatabasePool, pool: PoolKey, from: number, to: number): Promise<void> {
  const run = sql.typeAlias('void')
  // As long as field elements, and as hard to compress.
  const random = (salt: string) => sql.fragment`(
    (('x' || md5(place || ${salt}))::bit(64)::bigint::numeric + 9223372036854775808)
      * 1152921504606846976::numeric * 1152921504606846976::numeric * 1152921504606846976::numeric / 16
      + ('x' || md5(${salt} || place))::bit(60)::bigint)::numeric(78, 0)`
  await database.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, commitment,
      root, leaf_index)
    select ${pool.chainId}, ${pool.address} || md5(place::text), 3, place, now(), '0x' || md5(place::text), 'leaf',
      ${pool.address}, ${random('leaf')}, ${random('root')}, place
    from generate_series(${from}::int, ${to}::int) as place`)
  await database.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, value,
      nullifier_hash, commitment)
    select ${pool.chainId}, ${pool.address} || md5(place::text), 4, place, now(), '0x' || md5(place::text), 'withdrawal',
      ${pool.address}, 1000000000000000000 + place, ${random('nullifier')}, ${random('leaf')}
    from generate_series(${from + 1}::int, ${to}::int, 2) as place`)
}
