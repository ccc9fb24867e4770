import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const blockRow = z.object({ number: z.bigint(), hash: hexText })

/** Reads numbers and hashes of the stored blocks from a number on, oldest first. */
export function readKeptBlocks(
  connection: CommonQueryMethods,
  chainId: number,
  from: bigint,
): Promise<readonly z.output<typeof blockRow>[]> {
  return connection.any(sql.type(blockRow)`
    select number, hash from indexed_block where chain_id = ${chainId} and number >= ${from} order by number`)
}

/**
 * Finds a block of a stored fact, for heights whose blocks are no longer stored. Prefers the newest block up to `upTo`,
 * else the oldest; null without facts.
 */
export function findKnownBlock(
  connection: CommonQueryMethods,
  chainId: number,
  upTo: bigint,
): Promise<z.output<typeof blockRow> | null> {
  const ends = (['pool_event', 'transfer'] as const).flatMap((table) =>
    [
      sql.fragment`and block_number <= ${upTo} order by block_number desc`,
      sql.fragment`order by block_number`,
    ].map(
      (order) => sql.fragment`(
        select block_number as number, block_hash as hash from ${sql.identifier([table])}
        where chain_id = ${chainId} ${order} limit 1)`,
    ),
  )
  return connection.maybeOne(sql.type(blockRow)`
    select number, hash from (${sql.join(ends, sql.fragment` union all `)}) as known
    order by number <= ${upTo} desc, case when number <= ${upTo} then -number else number end limit 1`)
}

/** True if the block is stored. */
export async function isKeptBlock(
  connection: CommonQueryMethods,
  chainId: number,
  block: { number: bigint; hash: string },
): Promise<boolean> {
  return connection.exists(sql.typeAlias('void')`
    select from indexed_block where chain_id = ${chainId} and number = ${block.number} and hash = ${block.hash}`)
}
