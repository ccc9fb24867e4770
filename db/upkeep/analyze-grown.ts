import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

/** Rows that have to be new or other: the planner's guess of a smaller table does no harm. */
const LEAST_ROWS = 200

/**
 * Has PostgreSQL look at the table that changed most since it last did, if as many rows are new or other as it had then. A young
 * service grows from nothing to thousands of rows before autovacuum's thresholds are reached, and plans made for an empty
 * table read them all, for each row of another.
 *
 * @returns Its name; null when no table has grown so much.
 */
export async function analyzeGrown(connection: CommonQueryMethods): Promise<string | null> {
  const name = await connection.maybeOneFirst(sql.type(z.object({ relname: z.string() }))`
    select seen.relname from pg_stat_user_tables as seen join pg_class on pg_class.oid = seen.relid
    where seen.schemaname = current_schema() and n_mod_since_analyze >= greatest(reltuples::float8, ${LEAST_ROWS})
      and pg_has_role(pg_class.relowner, 'usage')
    order by n_mod_since_analyze desc limit 1`)
  // One that another instance looks at is left to it.
  if (name !== null)
    await connection.query(sql.typeAlias('void')`analyze (skip_locked) ${sql.identifier([name])}`)
  return name
}
