import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'

const name = z.object({ name: z.string() })
const count = z.object({ count: z.int() })

/** Names of the tables in which a text stands in clear, as text or as its bytes. */
export async function listTablesWith(connection: CommonQueryMethods, text: string): Promise<string[]> {
  const tables = await connection.any(sql.type(name)`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`)
  const found: string[] = []
  for (const table of tables) {
    const hits = await connection.oneFirst(sql.type(count)`
      select count(*)::int as count from ${sql.identifier([table.name])} as row
      where to_jsonb(row)::text like ${`%${text}%`}
        or to_jsonb(row)::text like ${`%${Buffer.from(text).toString('hex')}%`}`)
    if (hits > 0) found.push(table.name)
  }
  return found
}
