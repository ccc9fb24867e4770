import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

/**
 * Adds what was booked and ended to the totals (`functions/upkeep/fold_totals.sql`), at most `most` rows of each book; rows of the last
 * `marginMs`, or that transactions under way may still write, wait. One instance does it at a time.
 *
 * @returns Whether there may be more.
 */
export function foldTotals(
  connection: CommonQueryMethods,
  { most, marginMs }: { most: number; marginMs: number },
): Promise<boolean> {
  return connection.oneFirst(sql.type(z.object({ more: z.boolean() }))`
    select fold_totals(${most}, ${marginMs} * interval '1 ms') as more`)
}
