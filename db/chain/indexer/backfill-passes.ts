import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

const passRow = z.object({ number: z.bigint(), block: z.bigint(), end: z.bigint() })
/**
 * A joint backfill of many addresses: reads every block from `block`, the next, to `end`. From there on, indexing
 * matches all of them.
 */
export type BackfillPass = z.output<typeof passRow>

/** The running pass of a chain; null while there is none. */
export function findPass(pool: CommonQueryMethods, chainId: number): Promise<BackfillPass | null> {
  return pool.maybeOne(sql.type(passRow)`
    select next_pass - 1 as number, pass_block as block, pass_end as end from indexed_chain
    where chain_id = ${chainId} and pass_block is not null`)
}

/** Begins a pass for the addresses that wait for one, if any. The chain must be locked. */
export async function beginPass(transaction: CommonQueryMethods, chainId: number): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update indexed_chain set next_pass = next_pass + 1, pass_block = waiting.first, pass_end = waiting.last
    from (
      select min(history_next) as first, max(live_from) as last
      from watched_address join indexed_chain using (chain_id)
      where chain_id = ${chainId} and pass = next_pass
    ) as waiting
    where chain_id = ${chainId} and pass_block is null and waiting.first is not null`)
}

/**
 * Records that the pass has read all blocks below `next`. The chain must be locked.
 * @returns False when the pass has moved because the chain was reset.
 */
export async function advancePass(
  transaction: CommonQueryMethods,
  chainId: number,
  { number, block }: BackfillPass,
  next: bigint,
): Promise<boolean> {
  const { rowCount } = await transaction.query(sql.typeAlias('void')`
    update indexed_chain set pass_block = ${next}
    where chain_id = ${chainId} and next_pass = ${number + 1n} and pass_block = ${block}`)
  return rowCount === 1
}

/**
 * After a pass has read all its blocks, marks the history of some of its addresses complete. The chain must be locked.
 * @returns True if more may be left; otherwise the pass has ended.
 */
export async function finishSome(
  transaction: CommonQueryMethods,
  chainId: number,
  { number }: BackfillPass,
  limit: number,
): Promise<boolean> {
  const { rowCount } = await transaction.query(sql.typeAlias('void')`
    update watched_address set near_from = history_next, history_next = null, pass = null
    where chain_id = ${chainId} and address = any (array(
      select address from watched_address where chain_id = ${chainId} and pass = ${number} limit ${limit}))`)
  if (rowCount === limit) return true
  await transaction.query(sql.typeAlias('void')`
    update indexed_chain set pass_block = null, pass_end = null
    where chain_id = ${chainId} and next_pass = ${number + 1n}`)
  return false
}
