import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findMigrationLocks } from '../../db/find-migration-locks.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await openTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    create table parent (id int primary key, n int, at timestamptz);
    create table child (id int primary key, parent_id int);
    create function nothing() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger old_trigger after insert on parent execute function nothing();
    insert into parent values (1, 1)`)
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

/** The modes of PostgreSQL that block others, by what waits. */
const MODES: Readonly<Record<string, string>> = {
  ShareLock: 'writes',
  ShareRowExclusiveLock: 'writes',
  ExclusiveLock: 'writes',
  AccessExclusiveLock: 'reads and writes',
}

/** The locks that PostgreSQL takes for statements on tables of before, which are then undone. */
async function readLocks(statements: string): Promise<Record<string, string>> {
  const { rows: before } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const known = new Set(before.map(({ name }) => name))
  const ids = await client.query<{ oid: number; name: string }>(
    `select oid, relname::text as name from pg_class where relkind = 'r'`,
  )
  const names = new Map(ids.rows.map(({ oid, name }) => [oid, name]))
  await client.query('begin')
  try {
    await client.query(statements)
    const { rows } = await client.query<{ oid: number; mode: string }>(
      `select relation as oid, mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation' order by mode = 'AccessExclusiveLock'`,
    )
    return Object.fromEntries(
      rows.flatMap(({ oid, mode }) => {
        const name = names.get(oid)
        return name && known.has(name) && MODES[mode] ? [[name, MODES[mode]]] : []
      }),
    )
  } finally {
    await client.query('rollback')
  }
}

const foundIn = (statements: string) =>
  Object.fromEntries(findMigrationLocks(statements).map(({ table, blocks }) => [table, blocks]))

it.each([
  ['alter table parent add column more int not null default 0', false],
  ['ALTER TABLE parent\n  ADD COLUMN more uuid default gen_random_uuid()', true],
  ['alter table parent alter column n set not null', true],
  ['alter table parent alter column n type bigint', true],
  ['alter table parent add constraint small check (n < 9)', true],
  ['alter table parent add constraint small check (n < 9) not valid', false],
  ['alter table child add foreign key (parent_id) references parent (id)', true],
  ['create index on parent (n)', true],
  ['create unique index parent_n on parent (n) where n is not null', true],
  ['create table grandchild (id int references child (id)); create index on grandchild (id)', false],
  [
    'create or replace trigger a_trigger before update on parent for each row execute function nothing()',
    false,
  ],
  ['drop trigger old_trigger on parent', false],
  ['drop table child', false],
  ['truncate parent', false],
  ["-- alter table parent\ncomment on table parent is 'drop table child; create index on parent'", false],
  [
    'create function other() returns void language sql as $$ truncate parent; $$; update parent set n = 2',
    false,
  ],
])('the locks that are foretold for "%s" are those that PostgreSQL takes', async (statements, isLong) => {
  const taken = await readLocks(statements)
  expect(foundIn(statements)).toEqual(taken)
  expect(findMigrationLocks(statements).some((lock) => lock.isLong)).toBe(isLong)
})

it('the locks of functions and triggers are foretold for every file', async () => {
  const folder = new URL('../../db/functions/', import.meta.url)
  const names = readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.sql'))
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    const statements = readFileSync(new URL(String(name), folder), 'utf8')
    expect(foundIn(statements), String(name)).toEqual(await readLocks(statements))
  }
})
