import { pino } from 'pino'
import { z } from 'zod'
import { connectDatabase, sql } from '../../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../../db/embedded-postgres/start-embedded-postgres.ts'

// A service for the tests to kill: writes 1, 2, 3 … and prints each number once it is committed.
// On Ctrl-C it writes one row more, prints `last`, and stops in order.
const [dataDir = ''] = process.argv.slice(2)
const postgres = await startEmbeddedPostgres({ dataDir, logger: pino({ level: 'silent' }) })
const pool = await connectDatabase(postgres.url)
await pool.query(sql.typeAlias('void')`create table if not exists written (n int primary key)`)

const writeNext = () =>
  pool.one(sql.type(z.object({ n: z.int() }))`
    insert into written select coalesce(max(n), 0) + 1 from written returning n
  `)

/** Waits until the line is written: the reader may be slow, and its pipe full. */
const print = (line: string | number) =>
  new Promise<void>((resolve) => process.stdout.write(`${line}\n`, () => resolve()))

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())
while (!interrupt.signal.aborted) await print((await writeNext()).n)
await writeNext()
await print('last')
await pool.end()
await postgres.stop()
