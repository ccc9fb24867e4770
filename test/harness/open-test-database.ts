import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { DatabasePool } from 'slonik'
import { connectDatabase } from '../../db/connect-database.ts'
import { askRun } from './ask-run.ts'
import type { DatabaseServer } from './global-setup.ts'

export interface TestDatabase {
  url: string
  pool: DatabasePool
  /** Closes the pool and removes the database, even if a test left connections open. */
  drop(): Promise<void>
}

/** A fresh, migrated database of its own on the run's PostgreSQL server. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createDatabase((server) => server.template)
  const pool = await connectDatabase(url)
  return {
    url,
    pool,
    async drop() {
      await pool.end()
      await drop()
    },
  }
}

/** A database without tables, for tests of the migrations themselves. */
export const openEmptyDatabase = () => createDatabase(() => 'template1')

async function createDatabase(
  chooseTemplate: (server: DatabaseServer) => string,
): Promise<Pick<TestDatabase, 'url' | 'drop'>> {
  const server = await askRun('database', null)
  const name = `test_${randomBytes(8).toString('hex')}`
  await runOnServer(
    server.url,
    `create database ${name} template ${chooseTemplate(server)} strategy file_copy`,
  )
  const url = new URL(server.url)
  url.pathname = name
  return {
    url: url.href,
    drop: () => runOnServer(server.url, `drop database if exists ${name} with (force)`),
  }
}

async function runOnServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
