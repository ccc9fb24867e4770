import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

/**
 * Adds bookings and ended rows to the totals (`functions/upkeep/fold_totals.sql`), at most `most` rows of each book.
 * Rows of the last `marginMs`, and rows that running transactions may still write, wait. One instance runs it at a
 * time.
 *
 * @returns True if there may be more.
 */
export function foldTotals(
  connection: CommonQueryMethods,
  { most, marginMs }: { most: number; marginMs: number },
): Promise<boolean> {
  return connection.oneFirst(sql.type(z.object({ more: z.boolean() }))`
    select fold_totals(${most}, ${marginMs} * interval '1 ms') as more`)
}
