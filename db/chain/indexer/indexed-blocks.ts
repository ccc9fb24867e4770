import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const blockRow = z.object({ number: z.bigint(), hash: hexText })

/** Numbers and hashes of the blocks that are kept, from a number on, oldest first. */
export function readKeptBlocks(
  connection: CommonQueryMethods,
  chainId: number,
  from: bigint,
): Promise<readonly z.output<typeof blockRow>[]> {
  return connection.any(sql.type(blockRow)`
    select number, hash from indexed_block where chain_id = ${chainId} and number >= ${from} order by number`)
}

/**
 * A block that something is known from, though blocks that old are not kept any more: the newest that is not above a
 * number, else the oldest of all; null where nothing is known.
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

/** Whether the block is one of those that are kept. */
export async function isKeptBlock(
  connection: CommonQueryMethods,
  chainId: number,
  block: { number: bigint; hash: string },
): Promise<boolean> {
  return connection.exists(sql.typeAlias('void')`
    select from indexed_block where chain_id = ${chainId} and number = ${block.number} and hash = ${block.hash}`)
}
