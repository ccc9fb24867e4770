import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { lockCashOrdersOf } from '../../../db/transact/followed-cash-orders.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { seedCashOrders } from '../../relayer/transact/cash-orders/seed-cash-orders.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const run = sql.typeAlias('void')

it('a reader that waits for the lock of an order sees the meanwhile written state of its quote', async () => {
  const { pool } = database
  const [order] = await seedCashOrders(pool, 1)
  if (!order) throw new Error('nothing was seeded')
  const { depositor } = order
  const gate = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holder = pool.transaction(async (transaction) => {
    await lockCashOrdersOf(transaction, [depositor])
    held.resolve()
    await gate.promise
    await transaction.query(run`update quote set status = 'failed', failure = 'it was reverted', submitted_at = now(), ended_at = now()
      where id = (select quote_id from cash_order where depositor = ${depositor})`)
  })
  await held.promise
  const waiting = pool.transaction((transaction) => lockCashOrdersOf(transaction, [depositor]))
  const isWaiting = () =>
    pool.exists(sql.unsafe`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
  await expect.poll(isWaiting).toBe(true)
  gate.resolve()
  await holder
  expect(await waiting).toMatchObject([{ hasFailed: true }])
})
