import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'

/** The first line of a dump, after its mark. */
export const dumpHeader = z.object({
  format: z.literal(1),
  /** Time of the snapshot. */
  madeAt: z.iso.datetime(),
  /** Hashes of the files that made the schema, by their names: the dump has rows alone. */
  files: z.record(z.string(), z.string()),
})

/** The last line of a dump, after its mark: rows by table. */
export const dumpEnd = z.object({ rows: z.record(z.string(), z.int()) })

/** The first words of a dump's first and last line. */
export const DUMP_MARKS = { header: '-- stealth-relay backup ', end: '-- end ' } as const

/** A table whose rows belong into a dump. */
export interface DumpedTable {
  name: string
  /** Without generated ones. */
  columns: readonly string[]
}

interface FoundTable extends DumpedTable {
  needs: readonly string[]
}

/** Tables of the database with the tables that their rows refer to; not those of the migrations. */
const TABLES = `
  select relname::text as name,
    array(select attname::text from pg_attribute
      where attrelid = own.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
    array(select other.relname::text from pg_constraint join pg_class as other on other.oid = confrelid
      where conrelid = own.oid and contype = 'f' and confrelid <> conrelid) as needs
  from pg_class as own
  where relkind = 'r' and relnamespace = current_schema()::regnamespace
    and relname not in ('schema_migration', 'schema_function')
  order by relname`

/** Lists the tables in an order in which rows refer only to rows of earlier tables. @throws Error if there is none. */
export async function listDumpedTables(client: pg.Client): Promise<readonly DumpedTable[]> {
  const { rows } = await client.query<FoundTable>(TABLES)
  const placed: FoundTable[] = []
  const waiting = new Set(rows)
  while (waiting.size > 0) {
    const names = new Set(placed.map(({ name }) => name))
    const next = [...waiting].filter(({ needs }) => needs.every((name) => names.has(name)))
    if (next.length === 0) throw new Error('tables refer to each other in a ring')
    for (const table of next) waiting.delete(table)
    placed.push(...next)
  }
  return placed
}

/** Returns the hashes of the files that made the database's schema, by their names. */
export async function readSchemaFiles(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration union all select name, sha256 from schema_function order by name',
  )
  return Object.fromEntries(rows.map(({ name, sha256 }) => [name, sha256]))
}

/** Quotes a name for a statement. */
export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The columns of a table for COPY. */
export const listColumns = ({ columns }: DumpedTable) => columns.map(quoteName).join(', ')

/**
 * Yields all rows of one snapshot as text that psql understands too. It only reads, and blocks no writer.
 *
 * @param client Has no open transaction; the dump runs in one of its own.
 * @throws Error of the database; the dump then lacks its last line.
 */
export async function* dumpRows(client: pg.Client): AsyncGenerator<string | Buffer> {
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    const header: z.input<typeof dumpHeader> = {
      format: 1,
      madeAt: new Date().toISOString(),
      files: await readSchemaFiles(client),
    }
    yield `${DUMP_MARKS.header}${JSON.stringify(header)}\n`
    const rows: Record<string, number> = {}
    for (const table of await listDumpedTables(client)) {
      const target = `${quoteName(table.name)} (${listColumns(table)})`
      yield `COPY ${target} FROM stdin;\n`
      const stream = client.query(copyTo(`copy ${target} to stdout`))
      for await (const chunk of stream) yield chunk as Buffer
      yield '\\.\n'
      rows[table.name] = stream.rowCount
    }
    const { rows: sequences } = await client.query<{ name: string; value: string }>(
      `select sequencename::text as name, last_value::text as value from pg_sequences
       where schemaname = current_schema() and last_value is not null order by 1`,
    )
    for (const { name, value } of sequences) yield `SELECT setval('${quoteName(name)}', ${value});\n`
    yield `${DUMP_MARKS.end}${JSON.stringify({ rows } satisfies z.input<typeof dumpEnd>)}\n`
  } finally {
    await client.query('rollback')
  }
}
