import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** How an account's erasure and export treat its skips and marks of what it has seen. */
export const reviewTables = [byAccount('review_skip'), byAccount('review_seen')]

const skipRow = z.object({
  address: hexText,
  lastReceivedAt: z.date(),
  rawReceiveCount: smallInteger,
  skippedAt: z.date(),
})
/** An address that its account skipped, with the receipts known at that moment. */
export type SkipRow = z.output<typeof skipRow>

/** Values of a new skip. */
export interface NewSkip extends Omit<SkipRow, 'skippedAt'> {
  /** By chain, the last seen block with a trusted receipt in the second `lastReceivedAt`. */
  lastBlocks: ReadonlyMap<number, bigint>
}

/** Writes or replaces the skip of an address. */
export function writeSkip(
  connection: CommonQueryMethods,
  accountId: string,
  { address, lastReceivedAt, rawReceiveCount, lastBlocks }: NewSkip,
): Promise<SkipRow> {
  const blocks = Object.fromEntries([...lastBlocks].map(([chainId, block]) => [chainId, String(block)]))
  return connection.one(sql.type(skipRow)`
    insert into review_skip (account_id, address, last_received_at, raw_receive_count, last_blocks)
    values (${accountId}::uuid, ${address}, ${sql.timestamp(lastReceivedAt)}, ${rawReceiveCount}, ${sql.jsonb(blocks)})
    on conflict (account_id, address) do update set last_received_at = excluded.last_received_at,
      raw_receive_count = excluded.raw_receive_count, last_blocks = excluded.last_blocks,
      skipped_at = excluded.skipped_at
    returning address, last_received_at as "lastReceivedAt", raw_receive_count as "rawReceiveCount",
      skipped_at as "skippedAt"`)
}

/** Removes a skip. False when there was none. */
export async function removeSkip(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    delete from review_skip where account_id = ${accountId}::uuid and address = ${address}`)
  return rowCount > 0
}

const seenRow = z.object({ seenAt: z.date() })

/**
 * Advances an account's seen marks to the blocks indexed now; a mark never moves back. Does nothing while no chain is
 * indexed.
 * @returns Time of the account's latest view, by the database's clock.
 */
export async function markSeen(connection: CommonQueryMethods, accountId: string): Promise<Date> {
  const { seenAt } = await connection.one(sql.type(seenRow)`
    with marked as (
      insert into review_seen as seen (account_id, chain_id, seen_block, seen_at)
      select ${accountId}::uuid, chain_id, block_number, now() from indexed_chain order by chain_id
      on conflict (account_id, chain_id) do update set seen_at = greatest(seen.seen_at, excluded.seen_at),
        seen_block = greatest(seen.seen_block, excluded.seen_block)
      returning seen_at
    )
    select coalesce(max(seen_at), now()) as "seenAt" from marked`)
  return seenAt
}
