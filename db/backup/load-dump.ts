import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { z } from 'zod'
import {
  DUMP_MARKS,
  dumpEnd,
  dumpHeader,
  listColumns,
  listDumpedTables,
  quoteName,
  readSchemaFiles,
} from './dump-rows.ts'

/** A dump that cannot be loaded. */
export class DumpError extends Error {
  override name = 'DumpError'
}

/** The content of a dump that was loaded. */
export interface LoadedDump {
  madeAt: Date
  /** Rows by table. */
  rows: Readonly<Record<string, number>>
}

type Lines = AsyncIterator<string, undefined>

/**
 * Loads a dump into a database of the same schema without accounts, all of it or nothing.
 *
 * @throws DumpError if the dump is of another version or incomplete, or the database is in use.
 */
export async function loadDump(client: pg.Client, chunks: AsyncIterable<Uint8Array>): Promise<LoadedDump> {
  const lines: Lines = splitLines(chunks)
  const header = readMarked(await readLine(lines), DUMP_MARKS.header, dumpHeader)
  demandSameFiles(header.files, await readSchemaFiles(client))
  await client.query('begin')
  try {
    const { rowCount } = await client.query('select from account limit 1')
    if (rowCount) throw new DumpError('the database has accounts: choose an empty one')
    const tables = await listDumpedTables(client)
    const names = tables.map(({ name }) => quoteName(name))
    await client.query(`truncate ${names.join(', ')}`)
    // Triggers would write rows that the dump has.
    for (const name of names) await client.query(`alter table ${name} disable trigger user`)
    const statements = new Map(
      tables.map((table) => {
        const target = `${quoteName(table.name)} (${listColumns(table)})`
        return [`COPY ${target} FROM stdin;`, { name: table.name, copy: `copy ${target} from stdin` }]
      }),
    )
    const loaded: Record<string, number> = {}
    let line = await readLine(lines)
    for (; !line.startsWith(DUMP_MARKS.end); line = await readLine(lines)) {
      const table = statements.get(line)
      if (table) {
        const stream = client.query(copyFrom(table.copy))
        await pipeline(Readable.from(readRows(lines)), stream)
        loaded[table.name] = stream.rowCount
      } else if (/^SELECT setval\('"[a-z0-9_]+"', \d+\);$/.test(line)) await client.query(line)
      else throw new DumpError(`it has a line that is none of a dump: ${line.slice(0, 60)}`)
    }
    const { rows } = readMarked(line, DUMP_MARKS.end, dumpEnd)
    for (const { name } of tables)
      if (loaded[name] !== rows[name])
        throw new DumpError(
          `it has ${rows[name] ?? 'no'} rows of ${name}, of which ${loaded[name] ?? 0} were loaded`,
        )
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    await client.query('commit')
    await client.query('analyze')
    return { madeAt: new Date(header.madeAt), rows }
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

function demandSameFiles(
  ofDump: Readonly<Record<string, string>>,
  ofDatabase: Readonly<Record<string, string>>,
): void {
  const names = new Set([...Object.keys(ofDump), ...Object.keys(ofDatabase)])
  const other = [...names].find((name) => ofDump[name] !== ofDatabase[name])
  if (other === undefined) return
  throw new DumpError(
    `it was made by another version, which differs in ${other}: load it by that version, and upgrade then`,
  )
}

/** The content of a line that begins with a mark. @throws DumpError for any other line. */
function readMarked<Content>(line: string, mark: string, shape: z.ZodType<Content>): Content {
  if (!line.startsWith(mark)) throw new DumpError('it does not begin as one')
  try {
    return shape.parse(JSON.parse(line.slice(mark.length)))
  } catch {
    throw new DumpError(`the line after "${mark.trim()}" cannot be read`)
  }
}

async function readLine(lines: Lines): Promise<string> {
  const { value } = await lines.next()
  if (value === undefined) throw new DumpError('it is cut short')
  return value
}

async function* readRows(lines: Lines): AsyncGenerator<string> {
  for (;;) {
    const line = await readLine(lines)
    if (line === '\\.') return
    yield `${line}\n`
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
  return undefined
}
