import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../../../../db/connect-database.ts'

/**
 * One row of a copied database, or one line of a log. A thief sees more than the columns: which transaction wrote the row,
 * where it lies, and in which order its large values were put aside.
 */
export interface Trace {
  /** Table, or `log`. */
  source: string
  /** Words that could join it with others: whole cells, ids, hashes and addresses inside of them. */
  words: readonly string[]
  /** Milliseconds since 1970, by column. */
  times: Readonly<Record<string, number>>
  /** Transaction that wrote it; null for a line. */
  xmin: number | null
  /** Values that may reveal an order: place in the table, numbers of values put aside, columns that count. */
  orders: Readonly<Record<string, number>>
  /** Bytes, by column. */
  sizes: Readonly<Record<string, number>>
}

const named = z.object({ table: z.string(), column: z.string(), type: z.string() })
const dumped = z.object({
  xmin: z.string(),
  page: z.string(),
  line: z.string(),
  cells: z.array(z.string().nullable()),
  chunks: z.array(z.string().nullable()),
  sizes: z.array(z.string().nullable()),
})

const TOASTED = ['bytea', 'text', 'jsonb', 'json']
const COUNTED = ['integer', 'bigint', 'smallint']

/** All rows of all tables, with the system columns that show when and where they were written. */
export async function takeDump(database: CommonQueryMethods): Promise<Trace[]> {
  const columns = await database.any(sql.type(named)`
    select table_name as "table", column_name as "column", data_type as type
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name, ordinal_position`)
  const traces: Trace[] = []
  for (const table of new Set(columns.map((one) => one.table)))
    traces.push(
      ...(await dumpTable(
        database,
        table,
        columns.filter((one) => one.table === table),
      )),
    )
  return traces
}

async function dumpTable(
  database: CommonQueryMethods,
  table: string,
  columns: readonly z.output<typeof named>[],
): Promise<Trace[]> {
  const listOf = (write: (column: z.output<typeof named>) => ReturnType<typeof sql.fragment>) =>
    sql.join(columns.map(write), sql.fragment`, `)
  const name = (column: string) => sql.identifier(['copied', column])
  const isToasted = ({ type }: { type: string }) => TOASTED.includes(type)
  const rows = await database.any(sql.type(dumped)`
    select copied.xmin::text, split_part(trim(leading '(' from copied.ctid::text), ',', 1) as page,
      split_part(trim(trailing ')' from copied.ctid::text), ',', 2) as line,
      array[${listOf((one) => sql.fragment`${name(one.column)}::text`)}] as cells,
      array[${listOf((one) => (isToasted(one) ? sql.fragment`pg_column_toast_chunk_id(${name(one.column)})::text` : sql.fragment`null::text`))}] as chunks,
      array[${listOf((one) => (isToasted(one) ? sql.fragment`octet_length(${name(one.column)}::text)::text` : sql.fragment`null::text`))}] as sizes
    from ${sql.identifier([table])} as copied`)
  return rows.map((row): Trace => {
    const pick = (cells: readonly (string | null)[], types: readonly string[], prefix = '') =>
      columns.flatMap(({ column, type }, place) => {
        const cell = cells[place]
        return cell != null && types.includes(type) ? [[prefix + column, Number(cell)] as const] : []
      })
    return {
      source: table,
      words: row.cells.flatMap((cell) => (cell === null || cell.startsWith('\\x') ? [] : wordsOf(cell))),
      times: Object.fromEntries(
        columns.flatMap(({ column, type }, place) => {
          const cell = row.cells[place]
          return cell != null && type.startsWith('timestamp') ? [[column, Date.parse(cell)]] : []
        }),
      ),
      xmin: Number(row.xmin),
      orders: Object.fromEntries([
        ['place', Number(row.page) * 1_000 + Number(row.line)],
        ...pick(row.chunks, TOASTED, 'chunks of '),
        ...pick(row.cells, COUNTED),
      ]),
      sizes: Object.fromEntries(pick(row.sizes, TOASTED)),
    }
  })
}

const line = z.looseObject({ time: z.string() })

/** Lines of the service's log, as pino writes them. */
export const readLog = (lines: readonly string[]): Trace[] =>
  lines.map((text) => ({
    source: 'log',
    words: wordsOf(text),
    times: { time: Date.parse(line.parse(JSON.parse(text)).time) },
    xmin: null,
    orders: {},
    sizes: {},
  }))

const PARTS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{40,}|\d{10,}/g

/** Short words join everything with everything. */
function wordsOf(cell: string): string[] {
  const text = cell.toLowerCase()
  return [...new Set([...(text.length >= 6 ? [text] : []), ...(text.match(PARTS) ?? [])])]
}
