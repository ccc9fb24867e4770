import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type pg from 'pg'
import { connectionError, describeServer, openSession, UnusableDatabaseError } from './database-servers.ts'

/** A file of statements, named by its path. */
interface SqlFile {
  name: string
  statements: string
  sha256: string
}

/** Any constant does, as long as nothing else in the database locks it. */
const MIGRATION_LOCK = 7_236_514_908

/** The order of the baseline's files: each refers to tables of those before it. */
const BASELINE = [
  'account',
  'identity',
  'market',
  'inspect',
  'chain',
  'pool',
  'transact',
  'idempotency',
  'upkeep',
]
/** A migration expands the schema, or contracts it by removing what no running version needs. */
const MIGRATION_NAME = /^(\d{4})_(?:expand|contract)_[a-z0-9_]+\.sql$/

/** Databases older than the baseline have migrations with such names; after the last of them they equal the baseline. */
const OLD_NAME = /^\d{4}_/
const LAST_OLD_NAME = '0540_earlier_lives.sql'
const LAST_OLD_COMMIT = 'adca7ffe'

/**
 * Migrates the database to the newest schema, in one transaction. Runs the baseline (`schema/`) if it is missing, new
 * migrations (`migrations/`) in order, then changed functions and triggers (`functions/`). Of several services that
 * start at once, one migrates and the others wait.
 *
 * @param directory Contains the three folders.
 * @returns The names of the files that were run.
 * @throws Error when the server cannot be reached. Also when a file of the baseline or of the migrations was edited
 *   after it ran, is missing, or fails. The database then stays unchanged.
 *
 * @example
 * ```ts
 * const files = await migrateDatabase(url) // names of the files that were run
 * ```
 */
export async function migrateDatabase(url: string, directory = import.meta.dirname): Promise<string[]> {
  const files = {
    baseline: await readBaseline(directory),
    migrations: await readMigrations(directory),
    functions: await readFunctions(directory),
  }
  const client = await openSession(url).catch((cause: unknown) => {
    throw connectionError(url, cause)
  })
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query('begin')
    await client.query(`
      create table if not exists schema_migration (
        name text primary key, sha256 text not null, applied_at timestamptz not null default now()
      );
      create table if not exists schema_function (
        name text primary key, sha256 text not null, applied_at timestamptz not null default now()
      )`)
    await adoptOldDatabase(client, files.baseline, describeServer(url))
    const names = await applyFiles(client, files, describeServer(url))
    await client.query('commit')
    return names
  } finally {
    await client.end()
  }
}

async function applyFiles(
  client: pg.Client,
  { baseline, migrations, functions }: Record<'baseline' | 'migrations' | 'functions', SqlFile[]>,
  server: string,
): Promise<string[]> {
  const applied = await listApplied(client, 'schema_migration')
  refuseRewrittenHistory(applied, [...baseline, ...migrations], server)
  const known = await listApplied(client, 'schema_function')
  const changed = functions.filter(({ name, sha256 }) => known.get(name) !== sha256)
  // Functions may name each other and tables in any order.
  await client.query('set local check_function_bodies = off')
  const pending = [...baseline, ...migrations].filter(({ name }) => !applied.has(name))
  for (const file of pending) await applyFile(client, 'schema_migration', file)
  for (const file of changed) await applyFile(client, 'schema_function', file)
  return [...pending, ...changed].map(({ name }) => name)
}

async function readBaseline(directory: string): Promise<SqlFile[]> {
  const names = await listSql(join(directory, 'schema'))
  const unplaced = names.find((name) => !BASELINE.includes(name.replace('.sql', '')))
  if (unplaced)
    throw new Error(`schema/${unplaced} has no place in the order of the baseline (db/migrate.ts)`)
  const inOrder = BASELINE.map((district) => `${district}.sql`).filter((name) => names.includes(name))
  return readAll(directory, 'schema', inOrder)
}

async function readMigrations(directory: string): Promise<SqlFile[]> {
  const names = await listSql(join(directory, 'migrations'))
  const numbers = new Set<string>()
  for (const name of names) {
    const number = MIGRATION_NAME.exec(name)?.[1]
    if (!number)
      throw new Error(
        `Migration ${name} must be named like 0042_expand_what_it_adds.sql or 0042_contract_what_it_removes.sql`,
      )
    if (numbers.has(number))
      throw new Error(`Two migrations are numbered ${number}: give ${name} the next free one`)
    numbers.add(number)
  }
  return readAll(directory, 'migrations', names)
}

async function readFunctions(directory: string): Promise<SqlFile[]> {
  const names = await listSql(join(directory, 'functions'))
  return readAll(directory, 'functions', names)
}

/** The SQL files of a folder and its subfolders, sorted; none where there is no folder. */
async function listSql(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return found
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted()
}

function readAll(directory: string, folder: string, names: readonly string[]): Promise<SqlFile[]> {
  return Promise.all(
    names.map(async (file) => {
      const statements = await readFile(join(directory, folder, file), 'utf8')
      const sha256 = createHash('sha256').update(statements).digest('hex')
      return { name: posix.join(folder, file), statements, sha256 }
    }),
  )
}

async function listApplied(
  client: pg.Client,
  table: 'schema_migration' | 'schema_function',
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    `select name, sha256 from ${table} order by name`,
  )
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

/** Replaces the old migrations by the baseline in a database that ran all of them; refuses one that lacks some. */
async function adoptOldDatabase(
  client: pg.Client,
  baseline: readonly SqlFile[],
  server: string,
): Promise<void> {
  const old = [...(await listApplied(client, 'schema_migration')).keys()].filter((name) =>
    OLD_NAME.test(name),
  )
  if (old.length === 0) return
  if (!old.includes(LAST_OLD_NAME))
    throw new UnusableDatabaseError(
      `Database ${server} is older than the baseline of this version: start the version of commit ${LAST_OLD_COMMIT} on it once, then this one`,
    )
  await client.query('delete from schema_migration where name = any($1)', [old])
  for (const { name, sha256 } of baseline)
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256])
}

function refuseRewrittenHistory(
  applied: ReadonlyMap<string, string>,
  files: readonly SqlFile[],
  server: string,
): void {
  for (const [name, sha256] of applied) {
    const file = files.find((candidate) => candidate.name === name)
    if (!file)
      throw new UnusableDatabaseError(
        `Database ${server} has ${name}, which this version lacks: run a newer version`,
      )
    if (file.sha256 !== sha256)
      throw new UnusableDatabaseError(
        `${name} was edited after database ${server} ran it: restore the file and put the change in a new migration`,
      )
  }
}

async function applyFile(
  client: pg.Client,
  table: 'schema_migration' | 'schema_function',
  { name, statements, sha256 }: SqlFile,
): Promise<void> {
  try {
    await client.query(statements)
    await client.query(
      `insert into ${table} (name, sha256) values ($1, $2)
       on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`,
      [name, sha256],
    )
  } catch (cause) {
    throw new UnusableDatabaseError(
      `${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}
