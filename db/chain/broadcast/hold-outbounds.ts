import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../connect-database.ts'

/**
 * Locks the transactions that meet a condition, by id, inside a statement that then changes them. All code that locks
 * several uses this order. Selects an array of the ids that still meet the condition once locked.
 */
export const holding = (condition: FragmentSqlToken) => sql.fragment`array(
  select id from outbound_tx where ${condition} order by id for no key update)`

/** Locks those of the transactions that are signed and not final. */
export const holdingUnfinished = (ids: readonly string[]) =>
  holding(sql.fragment`id = any(${sql.array([...ids], 'uuid')}) and status in ('signed', 'sent')`)
