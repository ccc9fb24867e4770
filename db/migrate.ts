import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type pg from 'pg'
import { findMigrationLocks, type MigrationLock } from './find-migration-locks.ts'
import { connectionError, describeServer, openSession, UnusableDatabaseError } from './database-servers.ts'

/** A file of statements, named by its path. */
interface SqlFile {
  name: string
  statements: string
  sha256: string
}

type SqlFiles = Record<'baseline' | 'migrations' | 'functions', SqlFile[]>

/** A lock of a file that has not run yet, with the size of its table by PostgreSQL's estimate. */
export interface PendingLock extends MigrationLock {
  file: string
  rows: number
  /** With its indexes. */
  bytes: number
}

/** What a start would do to a database. */
export interface PendingMigrations {
  files: readonly string[]
  locks: readonly PendingLock[]
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
 * @param report Receives what is about to run, unless that is nothing.
 * @returns The names of the files that were run.
 * @throws Error when the server cannot be reached. Also when a file of the baseline or of the migrations was edited
 *   after it ran, is missing, or fails. The database then stays unchanged.
 *
 * @example
 * ```ts
 * const files = await migrateDatabase(url) // names of the files that were run
 * ```
 */
export async function migrateDatabase(
  url: string,
  directory = import.meta.dirname,
  report: (pending: PendingMigrations) => void = () => {},
): Promise<string[]> {
  const files = await readFiles(directory)
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
    const pending = await findPending(client, files, describeServer(url))
    const names = [...pending.schema, ...pending.functions].map(({ name }) => name)
    if (names.length > 0) report({ files: names, locks: await listLocks(client, pending) })
    // Functions may name each other and tables in any order.
    await client.query('set local check_function_bodies = off')
    for (const file of pending.schema) await applyFile(client, 'schema_migration', file)
    for (const file of pending.functions) await applyFile(client, 'schema_function', file)
    await client.query('commit')
    return names
  } finally {
    await client.end()
  }
}

/**
 * Lists what {@link migrateDatabase} would run, and which tables it would lock. It changes nothing.
 *
 * @throws Error when the server cannot be reached, or a file was edited after it ran.
 */
export async function listPendingMigrations(
  url: string,
  directory = import.meta.dirname,
): Promise<PendingMigrations> {
  const files = await readFiles(directory)
  const client = await openSession(url).catch((cause: unknown) => {
    throw connectionError(url, cause)
  })
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('schema_function') is not null as exists`,
    )
    if (!rows[0]?.exists)
      return { files: [...files.baseline, ...files.migrations].map(({ name }) => name), locks: [] }
    const pending = await findPending(client, files, describeServer(url))
    return {
      files: [...pending.schema, ...pending.functions].map(({ name }) => name),
      locks: await listLocks(client, pending),
    }
  } finally {
    await client.end()
  }
}

const readFiles = async (directory: string): Promise<SqlFiles> => ({
  baseline: await readBaseline(directory),
  migrations: await readMigrations(directory),
  functions: await readFunctions(directory),
})

/** Files that have not run yet, in their order. */
async function findPending(
  client: pg.Client,
  { baseline, migrations, functions }: SqlFiles,
  server: string,
): Promise<Record<'schema' | 'functions', SqlFile[]>> {
  const applied = await listApplied(client, 'schema_migration')
  refuseRewrittenHistory(applied, [...baseline, ...migrations], server)
  const known = await listApplied(client, 'schema_function')
  return {
    schema: [...baseline, ...migrations].filter(({ name }) => !applied.has(name)),
    functions: functions.filter(({ name, sha256 }) => known.get(name) !== sha256),
  }
}

/** The locks on tables that exist already. */
async function listLocks(
  client: pg.Client,
  { schema, functions }: Record<'schema' | 'functions', SqlFile[]>,
): Promise<PendingLock[]> {
  const locks = [...schema, ...functions].flatMap(({ name, statements }) =>
    findMigrationLocks(statements).map((lock) => ({ ...lock, file: name })),
  )
  const { rows } = await client.query<{ name: string; rows: string; bytes: string }>(
    `select relname::text as name, greatest(reltuples, 0)::bigint::text as rows, pg_total_relation_size(oid)::text as bytes
     from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname = any($1)`,
    [locks.map(({ table }) => table)],
  )
  const sizes = new Map(rows.map((size) => [size.name, size]))
  return locks.flatMap((lock) => {
    const size = sizes.get(lock.table)
    return size ? [{ ...lock, rows: Number(size.rows), bytes: Number(size.bytes) }] : []
  })
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
