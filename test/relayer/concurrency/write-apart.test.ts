import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { findRefusal, writeTogether } from '../../../db/write-rows.ts'
import { writeApart } from '../../../relayer/concurrency/write-apart.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.pool.query(
    sql.unsafe`create table small (id int4 primary key, said text, amount numeric(3, 0))`,
  )
})
afterAll(() => database?.drop())

type Row = readonly [id: number, said: string, amount: string]
const insert = (connection: typeof database.pool, rows: readonly Row[]) =>
  connection.query(sql.unsafe`
    insert into small (id, said, amount) select * from ${sql.unnest(
      rows.map((row) => [...row]),
      ['int4', 'text', 'numeric'],
    )}`)
const write = insert as (connection: unknown, rows: readonly Row[]) => Promise<unknown>

test('of a hundred rows only those that a width, a NUL or a key refuses are left out, also within a transaction', async () => {
  const { pool } = database
  const rows = Array.from({ length: 100 }, (_, id): Row => [id, 'fine', '7'])
  const bad = new Map<number, Row>([
    [0, [0, 'fine', '1000']],
    [41, [41, 'a\0b', '7']],
    [42, [40, 'fine', '7']],
    [99, [99, 'fine', 'NaN']],
  ])
  const sent = rows.map((row, place) => bad.get(place) ?? row)
  await expect(writeTogether(pool, sent, write)).rejects.toSatisfy((error) => findRefusal(error) !== null)
  const refused = await pool.transaction(async (transaction) => {
    const left = await writeApart(transaction, sent, write)
    await transaction.query(sql.unsafe`insert into small (id) values (1000)`)
    return left
  })
  expect(refused.map(({ row, code }) => [row[0], code])).toEqual([
    [0, '22003'],
    [41, '22021'],
    [40, '23505'],
  ])
  const { count } = await pool.one(
    sql.type(z.object({ count: z.bigint() }))`select count(*) as count from small`,
  )
  expect(count).toBe(98n)
})

test("no column of a number has a width, so that a sum or a product of strangers' numbers fits", async () => {
  const narrow = await database.pool.anyFirst(sql.type(z.object({ name: z.string() }))`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and table_name <> 'small'
      and ((data_type = 'numeric' and numeric_precision is not null) or character_maximum_length is not null)
    union all
    select attrelid::regclass || '.' || attname from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and atttypid = 'numeric[]'::regtype and atttypmod <> -1`)
  expect(narrow).toEqual([])
})
