import { z } from 'zod'
import type { DatabasePool } from 'slonik'
import { sql } from '../../../db/connect-database.ts'

/** Something that whoever takes the database and the logs can read. */
export interface Trace {
  /** Table, or `log`. */
  source: string
  /** All of it as text; bytes as hexadecimal digits. */
  text: string
  /** Moments that it names, milliseconds since 1970. */
  times: readonly number[]
  /** Rises with the time at which the database wrote it, whatever it says; null for lines of the log. */
  written: number | null
}

/** Somebody to suspect, by all names that the chain or the database has for it. */
export interface Suspect {
  accountId: string
  /** Ids, addresses, labels and commitments of deposits. */
  names: readonly string[]
}

/** A withdrawal that everybody sees on the chain. */
export interface SeenSpend {
  nullifierHash: string
  newCommitment: string
  txHash: string
}

const dumped = z.object({ text: z.string(), xmin: z.bigint(), place: z.bigint() })

/** Every row of every table, with what PostgreSQL keeps of when and where it wrote it. */
export async function dumpTraces(pool: DatabasePool): Promise<Trace[]> {
  const tables = await pool.anyFirst(sql.type(z.object({ name: z.string() }))`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  const traces: Trace[] = []
  for (const table of tables) {
    const rows = await pool.any(sql.type(dumped)`
      select to_jsonb(one)::text as text, xmin::text::int8 as xmin, row_number() over (order by ctid) as place
      from ${sql.identifier([table])} as one`)
    for (const { text, xmin, place } of rows)
      traces.push({
        source: table,
        text,
        times: timesIn(text),
        // Rows of one transaction lie in the order in which it wrote them.
        written: Number(xmin) + Number(place) / 1e9,
      })
  }
  return traces
}

/** Lines of the service's log. */
export const readLog = (lines: readonly string[]): Trace[] =>
  lines.map((text) => ({ source: 'log', text, times: timesIn(text), written: null }))

const timesIn = (text: string): number[] =>
  [...text.matchAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?/g)].map(([at]) =>
    Date.parse(at),
  )
