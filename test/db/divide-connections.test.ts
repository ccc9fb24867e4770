import pg from 'pg'
import { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { workFor } from '../../db/divide-connections.ts'
import { coalesceRuns, singleFlight } from '../../relayer/concurrency/coalesce-runs.ts'
import { countWaiting } from '../harness/hold-transaction.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

const one = sql.type(z.object({ one: z.int() }))`select 1 as one`
/** Waits while {@link locker} has the table. */
const count = sql.type(z.object({ count: z.bigint() }))`select count(*) as count from fee_waiver`
const MOST = 6
let database: TestDatabase
let pool: TestDatabase['pool']
let locker: pg.Client
beforeAll(async () => {
  database = await openTestDatabase()
  pool = await connectDatabase(database.url, { maxPoolSize: MOST })
  locker = new pg.Client({ connectionString: database.url })
  await locker.connect()
})
afterAll(async () => {
  await locker?.end()
  await pool?.end()
  await database?.drop()
})

test('an account whose statements take long leaves half of the connections to others', async () => {
  await locker.query('begin')
  await locker.query('lock table fee_waiver')
  const greedy = Array.from({ length: 3 * MOST }, () => workFor('greedy', () => pool.oneFirst(count)))
  await expect.poll(() => countWaiting(database.pool)).toBe(MOST / 2)
  expect(await workFor('modest', () => pool.oneFirst(one))).toBe(1)
  expect(await pool.oneFirst(one)).toBe(1)
  // Others wait for shared work, whichever account began it.
  expect(await workFor('greedy', () => singleFlight(() => pool.oneFirst(one))('shared'))).toBe(1)
  const found: number[] = []
  const run = coalesceRuns(
    async () => void found.push(await pool.oneFirst(one)),
    () => undefined,
  )
  await workFor('greedy', run)
  expect(found).toEqual([1])
  expect(await countWaiting(database.pool)).toBe(MOST / 2)
  await locker.query('commit')
  expect(await Promise.all(greedy)).toEqual(Array.from({ length: 3 * MOST }, () => 0n))
})

test('work with a connection gets a second one without waiting for the part of its account', async () => {
  const begun = Promise.withResolvers<void>()
  let running = 0
  const twice = Array.from({ length: MOST / 2 }, () =>
    workFor('nested', () =>
      pool.connect(async (connection) => {
        running += 1
        if (running === MOST / 2) begun.resolve()
        await begun.promise
        return (await pool.oneFirst(one)) + (await connection.oneFirst(one))
      }),
    ),
  )
  expect(await Promise.all(twice)).toEqual([2, 2, 2])
})

test('statements that fail give their places back', async () => {
  const failing = sql.typeAlias('void')`select 1 / 0`
  for (let round = 0; round < MOST; round += 1)
    await expect(workFor('failing', () => pool.query(failing))).rejects.toThrow()
  expect(await workFor('failing', () => pool.oneFirst(one))).toBe(1)
})
