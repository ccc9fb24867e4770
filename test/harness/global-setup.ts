import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import type { RunQuestions } from './ask-run.ts'
import { createDeployedChains } from './deployed-chains.ts'
import { makeRunDirectory } from './make-run-directory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket that answers requests of ask-run.ts. */
    runSocket: string
  }
}

/** The run's PostgreSQL server. */
export interface DatabaseServer {
  url: string
  /** A migrated database without connections: copying it is several times as fast as migrating another. */
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
 * Provides the parts that all tests of a run share; each is made when the first test asks for it. They are one
 * PostgreSQL server (open-test-database.ts), chains with the contracts on them (resume-deployed-chains.ts), and a
 * folder with compiled code. Programs of all tests and later runs use that folder.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await makeRunDirectory()
  const socketPath = join(directory, 'run.sock')
  // Workers inherit this variable, and so do the threads and programs that they start.
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED
  let starting: Promise<EmbeddedPostgres> | undefined
  let ready: Promise<DatabaseServer> | undefined
  const readyDatabase = () => {
    starting ??= startEmbeddedPostgres({
      dataDir: join(directory, 'data'),
      logger: pino({ level: 'warn' }),
      // The data of a test need not survive a power failure, and many tests run at once.
      settings: { fsync: 'off', full_page_writes: 'off', max_wal_size: '256MB', max_connections: '300' },
    })
    return (ready ??= starting.then(makeTemplate))
  }
  const answers: { [Name in keyof RunQuestions]: (asks: RunQuestions[Name]['asks']) => Promise<unknown> } = {
    database: readyDatabase,
    deployedChain: createDeployedChains(join(directory, 'chains')),
  }

  const door = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    text(socket)
      .then((question) => {
        const { name, asks } = JSON.parse(question) as { name: keyof RunQuestions; asks: never }
        return answers[name](asks)
      })
      .then(
        (gets) => socket.end(JSON.stringify({ gets })),
        (error: Error) => socket.end(JSON.stringify({ error: error.message })),
      )
  })
  await new Promise<void>((resolve) => door.listen(socketPath, resolve))
  project.provide('runSocket', socketPath)

  return async () => {
    door.close()
    await (await starting?.catch(() => undefined))?.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
