import type { CommonQueryMethods } from 'slonik'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { mayWrite, onlyReading, WRITING_FUNCTIONS } from '../../db/refuse-writes.ts'
import { singleFlight } from '../../relayer/concurrency/coalesce-runs.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.pool.query(sql.typeAlias('void')`create table planted (id int primary key, update_of text)`)
  await database.pool.query(sql.typeAlias('void')`insert into planted values (1, 'one')`)
})
afterAll(() => database?.drop())

const rows = sql.type(z.looseObject({}))
const ID = '00000000-0000-4000-8000-000000000001'
const WRITING = {
  insert: rows`insert into planted values (2, 'two') on conflict do nothing`,
  upsert: rows`
    insert into planted values (1, 'two') on conflict (id) do update set update_of = excluded.update_of`,
  update: rows`update planted set update_of = 'two'`,
  'update by an alias': rows`update "planted" as p set update_of = 'two' where p.id = 1 returning p.id`,
  'update in a with': rows`with moved as (update planted set update_of = 'two' returning id) select id from moved`,
  delete: rows`delete from planted where id = 1`,
  lock: rows`select id from planted for update`,
  'lock that skips': rows`select id from planted for no key update skip locked`,
  share: rows`select id from planted for key share`,
  'function that writes': rows`select tell_account_changes(array[${ID}]::uuid[])`,
}
const READING = {
  'columns with such names': rows`select id, update_of, 'created' as created from planted`,
  'sums of books': rows`select * from relay_sums()`,
  notification: rows`select pg_notify('planted', '')`,
}

test.each(Object.entries(WRITING))('a read whose statement writes fails: %s', async (_, statement) => {
  const { pool } = database
  await expect(onlyReading(() => pool.any(statement))).rejects.toThrow('A read may not write')
  await expect(
    onlyReading(() => pool.transaction((transaction) => transaction.any(statement))),
  ).rejects.toThrow('A read may not write')
  // PostgreSQL judges by the effect, this by the text: both refuse.
  await expect(pool.transaction((transaction) => inReadOnly(transaction, statement))).rejects.toThrow()
})

test.each(Object.entries(READING))('a read whose statement only reads runs: %s', async (_, statement) => {
  const { pool } = database
  await onlyReading(() => pool.any(statement))
  await pool.transaction((transaction) => inReadOnly(transaction, statement))
})

test('work that is no read may write, and so may the shared part of a read', async () => {
  const { pool } = database
  await pool.any(WRITING.update)
  await onlyReading(() => mayWrite(() => pool.any(WRITING.update)))
  await onlyReading(() => singleFlight(() => pool.any(WRITING.update))('shared'))
  await expect(mayWrite(() => onlyReading(() => pool.any(WRITING.update)))).rejects.toThrow('A read may not')
})

test('the functions that count as writing are the volatile ones of the database', async () => {
  const found = await database.pool.anyFirst(sql.type(z.object({ name: z.string() }))`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and provolatile = 'v' and prorettype <> 'trigger'::regtype
    order by proname`)
  expect(found).toEqual(WRITING_FUNCTIONS)
})

async function inReadOnly(
  transaction: CommonQueryMethods,
  statement: (typeof WRITING)['insert'],
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`set transaction read only`)
  await transaction.any(statement)
}
