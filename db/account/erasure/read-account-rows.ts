import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { ACCOUNT_TABLES } from './account-tables.ts'

const exportedRow = z.object({ row: z.record(z.string(), z.unknown()) })

/** Rows about an account by their tables, without secrets; numbers are decimal strings, since JSON has none so large. */
export async function readAccountRows(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<Record<string, readonly Record<string, unknown>[]>> {
  const tables: Record<string, readonly Record<string, unknown>[]> = {}
  for (const { table, own, omit = [] } of ACCOUNT_TABLES) {
    if (!own) continue
    const rows = await connection.any(sql.type(exportedRow)`
      select (
        select jsonb_object_agg(key,
          case when jsonb_typeof(value) = 'number' then to_jsonb(value #>> '{}') else value end)
        from jsonb_each(to_jsonb(exported) - ${sql.array(omit, 'text')})
      ) as row
      from ${sql.identifier([table])} as exported where ${own(accountId)}`)
    if (rows.length > 0) tables[table] = rows.map(({ row }) => row)
  }
  return tables
}
