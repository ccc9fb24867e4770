import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import type { AccountTable } from '../../account-table.ts'

const exportedRow = z.object({ row: z.record(z.string(), z.unknown()) })

/**
 * Reads an account's rows by table, without secrets. Numbers become decimal strings, because JSON numbers lose
 * precision.
 */
export async function readAccountRows(
  connection: CommonQueryMethods,
  accountId: string,
  tables: readonly AccountTable[],
): Promise<Record<string, readonly Record<string, unknown>[]>> {
  const found: Record<string, readonly Record<string, unknown>[]> = {}
  for (const { table, own, omit = [] } of tables) {
    if (!own) continue
    const rows = await connection.any(sql.type(exportedRow)`
      select (
        select jsonb_object_agg(key,
          case when jsonb_typeof(value) = 'number' then to_jsonb(value #>> '{}') else value end)
        from jsonb_each(to_jsonb(exported) - ${sql.array(omit, 'text')})
      ) as row
      from ${sql.identifier([table])} as exported where ${own(accountId)}`)
    if (rows.length > 0) found[table] = rows.map(({ row }) => row)
  }
  return found
}
