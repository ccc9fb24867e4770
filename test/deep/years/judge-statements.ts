import { countRows, listNodes, type RanStatement } from './record-plans.ts'
import { SEEDED_TABLES } from './seed-years.ts'

/** Rows of a large table that one statement may touch: more than any account of the story has, fewer than any table. */
export const FEW_ROWS = 1_000

/** Statements that read more on purpose, by how they begin, and why that does not grow without bound or is not asked often. */
const WHOLE_READS: readonly [start: string, why: string][] = [
  [
    'select address from watched_address where chain_id =',
    'all addresses, in pages, when an instance takes a chain',
  ],
  [
    'select newest, found.* from (select max(created_at) as newest from stealth_address)',
    'once when an instance takes a chain; later looks begin at the newest address',
  ],
  ['select chain_id as "chainId", start_block as "startBlock"', 'counts watched addresses up to 10,000'],
  ['select ( select case when reltuples >', 'counts accounts up to 10,000'],
  [
    'select coalesce(sum(answer_bytes), 0)::float8 as bytes from idempotency_key',
    'the keys of one day from an index alone, every ten minutes and by no request',
  ],
  ['delete from quote where id = any(array(', 'the upkeep: as many as it may delete at once'],
  ['delete from outbound_attempt where hash = any(array(', 'the same'],
]

/** How one statement ran over a story. */
export interface StatementFigures {
  text: string
  runs: number
  /** Of large tables, the most and the mean of one run. */
  mostRows: number
  rows: number
  /** Mean of one run, in pages of 8 KiB. */
  pages: number
  /** Median. */
  ms: number
  /** Large tables that it read from end to end. */
  scanned: readonly string[]
}

const LARGE = new Set(SEEDED_TABLES.map(({ table }) => table))

/** Sums of each statement, the busiest first. */
export function sumStatements(ran: readonly RanStatement[]): StatementFigures[] {
  const byText = Map.groupBy(ran, ({ text }) => text)
  return [...byText]
    .map(([text, runs]) => {
      const nodes = runs.map(({ plan }) =>
        listNodes(plan).filter((node) => LARGE.has(node['Relation Name'] ?? '') && node['Actual Loops'] > 0),
      )
      const rows = nodes.map((list) => list.reduce((sum, node) => sum + countRows(node), 0))
      const pages = runs.map(({ plan }) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
      const scans = nodes.flat().filter((node) => node['Node Type'] === 'Seq Scan')
      const times = runs.map(({ ms }) => ms).toSorted((one, other) => one - other)
      return {
        text,
        runs: runs.length,
        mostRows: Math.max(...rows),
        rows: meanOf(rows),
        pages: meanOf(pages),
        ms: times[Math.floor(times.length / 2)] ?? 0,
        scanned: [...new Set(scans.map((node) => node['Relation Name'] ?? ''))],
      }
    })
    .toSorted((one, other) => other.ms * other.runs - one.ms * one.runs)
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** The statements that read large tables from end to end, or more of them than they should, in words. */
export function findLargeReads(statements: readonly StatementFigures[]): string[] {
  return statements
    .filter(({ text }) => !WHOLE_READS.some(([start]) => text.startsWith(start)))
    .filter(({ scanned, mostRows }) => scanned.length > 0 || mostRows > FEW_ROWS)
    .map(({ text, scanned, mostRows }) => `${mostRows} rows, all of ${scanned.join(', ') || 'none'}: ${text}`)
}

/**
 * Describes statements that touch more than twice the rows that they touch in a database of the same account alone.
 * Pages are no measure: an index over millions of rows is three pages deep instead of one.
 */
export function findGrown(full: readonly StatementFigures[], empty: readonly StatementFigures[]): string[] {
  const before = new Map(empty.map((figures) => [figures.text, figures]))
  return full
    .filter(({ text }) => !WHOLE_READS.some(([start]) => text.startsWith(start)))
    .flatMap(({ text, rows }) => {
      const alone = before.get(text)?.rows ?? 0
      return rows > 2 * alone + FEW_ROWS / 5
        ? [`${Math.round(rows)} rows instead of ${Math.round(alone)}: ${text}`]
        : []
    })
}
