import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { connectionError, describeServer, openSession } from './database-servers.ts'

interface Migration {
  name: string
  statements: string
  sha256: string
}

/** Any constant does, as long as nothing else in the database locks it. */
const MIGRATION_LOCK = 7_236_514_908

const OWN_MIGRATIONS = join(import.meta.dirname, 'migrations')

/**
 * Brings the database to the newest schema: runs the files `NNNN_name.sql` that it has not seen, in order, each in
 * one transaction. Several services may start at once: one migrates, the others wait for it.
 * @returns The names of the files that were run.
 * @throws Error when the server cannot be reached, or a file that was run before has changed since, is missing, or fails; its transaction is undone.
 *
 * @example
 * ```ts
 * const files = await migrateDatabase(url) // names of the migrations that were run
 * ```
 */
export async function migrateDatabase(url: string, directory = OWN_MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(directory)
  const client = await openSession(url).catch((cause: unknown) => {
    throw connectionError(url, cause)
  })
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`create table if not exists schema_migration (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now()
    )`)
    const { rows } = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from schema_migration order by name',
    )
    refuseRewrittenHistory(rows, migrations, describeServer(url))
    const pending = migrations.filter(({ name }) => !rows.some((row) => row.name === name))
    for (const migration of pending) await applyMigration(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  const numbers = new Set<string>()
  for (const file of files) {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]
    if (!number) throw new Error(`Migration ${file} must be named like 0042_what_it_does.sql`)
    if (numbers.has(number))
      throw new Error(`Two migrations are numbered ${number}: give ${file} the next free one`)
    numbers.add(number)
  }
  return Promise.all(
    files.map(async (name) => {
      const statements = await readFile(join(directory, name), 'utf8')
      return { name, statements, sha256: createHash('sha256').update(statements).digest('hex') }
    }),
  )
}

function refuseRewrittenHistory(
  applied: { name: string; sha256: string }[],
  migrations: Migration[],
  server: string,
): void {
  for (const { name, sha256 } of applied) {
    const migration = migrations.find((candidate) => candidate.name === name)
    if (!migration) {
      throw new Error(
        `Database ${server} has migration ${name}, which this version lacks: run a newer version`,
      )
    }
    if (migration.sha256 !== sha256) {
      throw new Error(
        `Migration ${name} was edited after database ${server} ran it: restore the file and put the change in a new one`,
      )
    }
  }
}

async function applyMigration(client: pg.Client, { name, statements, sha256 }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(statements)
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
  } catch (cause) {
    throw new Error(`Migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}
