import { afterAll, beforeAll, expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { lockCashOrdersOf } from '../../../../db/transact/followed-cash-orders.ts'
import { lockOrdersOf } from '../../../../db/transact/followed-orders.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedCashOrders } from '../cash-orders/seed-cash-orders.ts'
import { seedOrders } from './seed-orders.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

/** Waits until a session of the database waits for a lock. */
async function untilOneWaits(): Promise<void> {
  const waiting = sql.type(z.object({ waiting: z.int() }))`
    select count(*)::int4 as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await database.pool.oneFirst(waiting)) === 0) await sleep(5)
}

type Lock = (
  connection: CommonQueryMethods,
  depositors: readonly string[],
) => Promise<readonly { quoteId: string; hasFailed: boolean }[]>

/** Reads an order while the holder of its lock writes that its quote failed. Returns the order as read after that. */
async function readBehindWriter(lock: Lock, depositor: string): Promise<boolean | undefined> {
  const { pool } = database
  const [locked, mayWrite] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = pool.transaction(async (transaction) => {
    const [order] = await lock(transaction, [depositor])
    expect(order?.hasFailed).toBe(false)
    locked.resolve()
    await mayWrite.promise
    await transaction.query(sql.typeAlias('void')`
      update quote set status = 'failed', failure = '' where id = ${order!.quoteId}`)
  })
  await Promise.race([locked.promise, writing])
  const reading = pool.transaction((transaction) => lock(transaction, [depositor]))
  await untilOneWaits()
  mayWrite.resolve()
  const [[order]] = await Promise.all([reading, writing])
  return order?.hasFailed
}

test("a reader that waited for the lock of a bridge order sees its holder's writes", async () => {
  const [order] = await seedOrders(database.pool, 1)
  expect(await readBehindWriter(lockOrdersOf, order!.depositor)).toBe(true)
})

test("a reader that waited for the lock of a cash-out sees its holder's writes", async () => {
  const [order] = await seedCashOrders(database.pool, 1)
  expect(await readBehindWriter(lockCashOrdersOf, order!.depositor)).toBe(true)
})
