import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** First and longest pause before a block is read again; the pause doubles with each try. */
const FIRST_PAUSE = sql.fragment`interval '1 minute'`
const LONGEST_PAUSE = sql.fragment`interval '6 hours'`

const leftOutRow = z.object({ number: z.bigint(), hash: hexText, parts: z.array(z.string()) })
/** A block that was indexed without some of its parts. */
export type LeftOutBlock = z.output<typeof leftOutRow>

/**
 * Most blocks of a chain that await another read. Beyond that, blocks are given up at once: such a chain never shows
 * whole blocks.
 */
const MOST_KEPT = 1_000

/** Records blocks that were indexed without some of their parts, in the transaction that writes them. */
export async function noteLeftOut(
  transaction: CommonQueryMethods,
  chainId: number,
  blocks: readonly { number: bigint; hash: string; leftOut: readonly string[] }[],
): Promise<void> {
  for (const { number, hash, leftOut } of blocks)
    if (leftOut.length > 0)
      await transaction.query(sql.typeAlias('void')`
        with kept as (
          insert into left_out_block (chain_id, number, hash, parts, retry_at)
          select ${chainId}::int8, ${number}::int8, ${hash}::text, ${sql.array([...leftOut], 'text')}, now() + ${FIRST_PAUSE}
          where (select count(*) from left_out_block where chain_id = ${chainId}) < ${MOST_KEPT}::int8
          on conflict (chain_id, number) do update set hash = excluded.hash, parts = excluded.parts, tries = 0,
            noted_at = now(), retry_at = excluded.retry_at
          returning chain_id
        )
        update indexed_chain set blocks_given_up = blocks_given_up + 1
        where chain_id = ${chainId} and not exists (select from kept)`)
}

/** The block that is due to be read again; null when none is. */
export function findLeftOut(pool: CommonQueryMethods, chainId: number): Promise<LeftOutBlock | null> {
  return pool.maybeOne(sql.type(leftOutRow)`
    select number, hash, parts from left_out_block where chain_id = ${chainId} and retry_at <= now()
    order by retry_at limit 1`)
}

/** Removes a block that was now read whole. @returns False when a reorg removed it meanwhile. */
export async function endLeftOut(
  transaction: CommonQueryMethods,
  chainId: number,
  { number, hash }: LeftOutBlock,
): Promise<boolean> {
  const { rowCount } = await transaction.query(sql.typeAlias('void')`
    delete from left_out_block where chain_id = ${chainId} and number = ${number} and hash = ${hash}`)
  return rowCount > 0
}

/** Postpones a block that no node can show yet; after a week it is given up and counted. */
export async function postponeLeftOut(
  pool: CommonQueryMethods,
  chainId: number,
  { number, hash }: LeftOutBlock,
): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    with given_up as (
      delete from left_out_block where chain_id = ${chainId} and number = ${number} and hash = ${hash}
        and noted_at < now() - interval '7 days'
      returning chain_id
    ), postponed as (
      update left_out_block set tries = tries + 1,
        retry_at = now() + least(${LONGEST_PAUSE}, ${FIRST_PAUSE} * power(2, least(tries, 20)))
      where chain_id = ${chainId} and number = ${number} and hash = ${hash} and noted_at >= now() - interval '7 days'
    )
    update indexed_chain set blocks_given_up = blocks_given_up + 1
    where chain_id in (select chain_id from given_up)`)
}
