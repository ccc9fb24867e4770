import type { DatabasePool } from 'slonik'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

let database: TestDatabase
let pool: DatabasePool
beforeAll(async () => {
  database = await openTestDatabase()
  // One connection: only it sees its prepared statements.
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

test('the server keeps the plan of a statement that runs often, and not of one that ran once or twice', async () => {
  for (let times = 0; times < 6; times += 1) expect(await find(2)).toEqual([{ one: 2 }])
  for (const text of ['three', 'four'])
    await pool.any(sql.type(row)`select one, ${'x'} as ${sql.identifier([text])} from thing`)
  const prepared = await listPrepared()
  expect(prepared.filter((text) => text.includes('from thing'))).toEqual([
    expect.stringContaining('select * from thing where one = $1'),
  ])
})

const planning = z.object({ mode: z.string(), jit: z.string() })
const readMode = (connection: DatabasePool) =>
  connection.one(
    sql.type(planning)`select current_setting('plan_cache_mode') as mode, current_setting('jit') as jit`,
  )

test('a statement is planned once for all values, however often it runs', async () => {
  for (let times = 0; times < 12; times += 1) await find(times)
  const plans = z.object({ generic: z.bigint(), custom: z.bigint() })
  const prepared = await pool.one(sql.type(plans)`
    select generic_plans as generic, custom_plans as custom from pg_prepared_statements
    where statement like '%where one = $1%'`)
  expect(prepared.custom).toBe(0n)
  expect(prepared.generic).toBeGreaterThan(0n)
})

test('how statements are planned is left to a URL that says so, and to the server behind a pooler', async () => {
  const spelt = new URL(database.url)
  spelt.searchParams.set('options', '-c plan_cache_mode=force_custom_plan -c jit=on')
  for (const [url, isPooled, mode, jit] of [
    [database.url, false, 'force_generic_plan', 'off'],
    [spelt.href, false, 'force_custom_plan', 'on'],
    [database.url, true, 'auto', 'off'],
  ] as const) {
    const other = await connectDatabase(url, { maxPoolSize: 1, isPooled })
    expect(await readMode(other)).toEqual({ mode, jit })
    await other.end()
  }
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
