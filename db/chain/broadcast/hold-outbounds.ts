import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../connect-database.ts'

/**
 * Locks the transactions that meet a condition, within a statement that then changes these: in the order of their ids, as
 * everybody who waits for several does. An array of the ids of those that meet it once they are locked.
 */
export const holding = (condition: FragmentSqlToken) => sql.fragment`array(
  select id from outbound_tx where ${condition} order by id for no key update)`

/** The same for those of the transactions that are signed and not final. */
export const holdingUnfinished = (ids: readonly string[]) =>
  holding(sql.fragment`id = any(${sql.array([...ids], 'uuid')}) and status in ('signed', 'sent')`)
