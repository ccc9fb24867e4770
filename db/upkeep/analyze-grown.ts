import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

/** Least rows that must have changed: the planner's guesses about smaller tables do no harm. */
const LEAST_ROWS = 200

/**
 * Analyses the table that changed most since its last analysis, if the changed rows are at least as many as it then
 * had. A young service grows from nothing to thousands of rows before it reaches autovacuum's thresholds. Plans made
 * for an empty table then read all of them, for each row of another table.
 *
 * @returns The table's name; null when no table has grown so much.
 */
export async function analyzeGrown(connection: CommonQueryMethods): Promise<string | null> {
  const name = await connection.maybeOneFirst(sql.type(z.object({ relname: z.string() }))`
    select seen.relname from pg_stat_user_tables as seen join pg_class on pg_class.oid = seen.relid
    where seen.schemaname = current_schema() and n_mod_since_analyze >= greatest(reltuples::float8, ${LEAST_ROWS})
      and pg_has_role(pg_class.relowner, 'usage')
    order by n_mod_since_analyze desc limit 1`)
  // A table that another instance is analysing is skipped.
  if (name !== null)
    await connection.query(sql.typeAlias('void')`analyze (skip_locked) ${sql.identifier([name])}`)
  return name
}
