import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** What an account's erasure and export make of its skips and of what it has seen. */
export const reviewTables = [byAccount('review_skip'), byAccount('review_seen')]

const skipRow = z.object({
  address: hexText,
  lastReceivedAt: z.date(),
  rawReceiveCount: smallInteger,
  skippedAt: z.date(),
})
/** An address that its account has skipped, with what there was to see of it. */
export type SkipRow = z.output<typeof skipRow>

const skipColumns = sql.fragment`
  address, last_received_at as "lastReceivedAt", raw_receive_count as "rawReceiveCount", skipped_at as "skippedAt"`

/** All skips of an account, also those that a later receipt has ended. */
export function listSkips(connection: CommonQueryMethods, accountId: string): Promise<readonly SkipRow[]> {
  return connection.any(sql.type(skipRow)`
    select ${skipColumns} from review_skip where account_id = ${accountId}::uuid`)
}

/** Writes or replaces the skip of an address. */
export function writeSkip(
  connection: CommonQueryMethods,
  accountId: string,
  skip: Omit<SkipRow, 'skippedAt'>,
): Promise<SkipRow> {
  return connection.one(sql.type(skipRow)`
    insert into review_skip (account_id, address, last_received_at, raw_receive_count)
    values (${accountId}::uuid, ${skip.address}, ${sql.timestamp(skip.lastReceivedAt)}, ${skip.rawReceiveCount})
    on conflict (account_id, address) do update set last_received_at = excluded.last_received_at,
      raw_receive_count = excluded.raw_receive_count, skipped_at = excluded.skipped_at
    returning ${skipColumns}`)
}

/** Whether there was a skip to remove. */
export async function removeSkip(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    delete from review_skip where account_id = ${accountId}::uuid and address = ${address}`)
  return rowCount > 0
}

const seenRow = z.object({ chainId: smallInteger, block: z.bigint() })

/** Up to which block the account has looked, by chain. */
export async function readSeenBlocks(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<ReadonlyMap<number, bigint>> {
  const rows = await connection.any(sql.type(seenRow)`
    select chain_id as "chainId", seen_block as block from review_seen where account_id = ${accountId}::uuid`)
  return new Map(rows.map(({ chainId, block }) => [chainId, block]))
}

/**
 * Moves what an account has seen to the blocks that are indexed now, never back, whichever request comes last.
 * @returns when it looked last, by the database's clock; null while no chain is indexed.
 */
export async function markSeen(connection: CommonQueryMethods, accountId: string): Promise<Date | null> {
  const rows = await connection.any(sql.type(z.object({ seenAt: z.date() }))`
    insert into review_seen as seen (account_id, chain_id, seen_block, seen_at)
    select ${accountId}::uuid, chain_id, block_number, now() from indexed_chain order by chain_id
    on conflict (account_id, chain_id) do update set seen_at = greatest(seen.seen_at, excluded.seen_at),
      seen_block = greatest(seen.seen_block, excluded.seen_block)
    returning seen_at as "seenAt"`)
  return rows.length === 0 ? null : new Date(Math.max(...rows.map(({ seenAt }) => seenAt.getTime())))
}
