import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { DatabasePool } from 'slonik'
import { inject } from 'vitest'
import { connectDatabase } from '../../db/connect-database.ts'
import { migrateDatabase } from '../../db/migrate.ts'

export interface TestDatabase {
  url: string
  pool: DatabasePool
  /** Closes the pool and removes the database, also under connections that a test left open. */
  drop(): Promise<void>
}

/** A fresh, migrated database of its own on the run's PostgreSQL server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createEmptyDatabase()
  await migrateDatabase(url)
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

/** A database without a single table, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const serverUrl = await findServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  await runOnServer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = name
  return { url: url.href, drop: () => runOnServer(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function findServer(): Promise<string> {
  const answer: { url?: string; error?: string } = JSON.parse(
    await text(connect(inject('databaseServerSocket'))),
  )
  if (answer.url === undefined) throw new Error(`No database server for the tests: ${answer.error}`)
  return answer.url
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
