import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A socket that answers each connection with a {@link DatabaseServer} or an error. */
    databaseServerSocket: string
  }
}

/** The run's PostgreSQL server. */
export interface DatabaseServer {
  url: string
  /** A migrated database that nobody connects to: a copy of it is made several times as fast as another is migrated. */
  template: string
}

const TEMPLATE = 'migrated'
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled/', import.meta.url))

async function makeTemplate({ url: serverUrl }: EmbeddedPostgres): Promise<DatabaseServer> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(`create database ${TEMPLATE}`)
  } finally {
    await client.end()
  }
  const url = new URL(serverUrl)
  url.pathname = TEMPLATE
  await migrateDatabase(url.href)
  return { url: serverUrl, template: TEMPLATE }
}

/**
 * One PostgreSQL server for the whole run, started when the first test asks for it (see start-database.ts), and one
 * folder where the programs that tests start find what they load compiled by those before them, in other runs too.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'test-run-'))
  // For root: the server then runs as a user who must pass through.
  await chmod(directory, 0o711)
  const socketPath = join(directory, 'database.sock')
  // Workers inherit it, and so do the threads and programs that they start.
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED
  let starting: Promise<EmbeddedPostgres> | undefined
  let ready: Promise<DatabaseServer> | undefined

  const door = createServer((socket) => {
    starting ??= startEmbeddedPostgres({
      dataDir: join(directory, 'data'),
      logger: pino({ level: 'warn' }),
      // A test's data need not survive a power cut, and many tests run at once.
      settings: { fsync: 'off', full_page_writes: 'off', max_connections: '300' },
    })
    ready ??= starting.then(makeTemplate)
    socket.on('error', () => {})
    ready.then(
      (server) => socket.end(JSON.stringify(server)),
      (error: Error) => socket.end(JSON.stringify({ error: error.message })),
    )
  })
  await new Promise<void>((resolve) => door.listen(socketPath, resolve))
  project.provide('databaseServerSocket', socketPath)

  return async () => {
    door.close()
    await (await starting?.catch(() => undefined))?.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
