import type { DatabasePool } from 'slonik'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

let database: TestDatabase
let pool: DatabasePool
beforeAll(async () => {
  database = await openTestDatabase()
  // One connection: what it prepared is seen by it alone.
  pool = await connectDatabase(database.url, { maxPoolSize: 1 })
  await pool.query(sql.typeAlias('void')`create table thing (one int not null)`)
  await pool.query(sql.typeAlias('void')`insert into thing values (1), (2)`)
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

const row = z.looseObject({ one: z.number() })
const find = (one: number) => pool.any(sql.type(row)`select * from thing where one = ${one}::int4`)
const listPrepared = () =>
  pool.anyFirst(sql.type(z.object({ statement: z.string() }))`select statement from pg_prepared_statements`)

test('a statement that runs often is kept by the server, one that ran once or twice is not', async () => {
  for (let times = 0; times < 6; times += 1) expect(await find(2)).toEqual([{ one: 2 }])
  for (const text of ['three', 'four'])
    await pool.any(sql.type(row)`select one, ${'x'} as ${sql.identifier([text])} from thing`)
  const prepared = await listPrepared()
  expect(prepared.filter((text) => text.includes('from thing'))).toEqual([
    expect.stringContaining('select * from thing where one = $1'),
  ])
})

test('after a migration that adds a column it fails once at most, and then answers with the column', async () => {
  for (let times = 0; times < 6; times += 1) await find(2)
  await pool.query(sql.typeAlias('void')`alter table thing add column later int default 7`)
  await find(2).catch(() => undefined)
  expect(await find(2)).toEqual([{ one: 2, later: 7 }])
})

test('texts that are made anew each time fill neither the server nor the memory', async () => {
  const before = (await listPrepared()).length
  for (let count = 0; count < 4_000; count += 1)
    await pool.any(sql.type(z.any())`select 1 as ${sql.identifier([`column${count}`])}`)
  expect((await listPrepared()).length).toBe(before)
})
