import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { createCashBook } from '../../../../relayer/transact/cash-orders/cash-book.ts'
import { OrderFollower } from '../../../../relayer/transact/orders/order-follower.ts'
import { reasonOf, runContained } from '../../../../relayer/concurrency/run-contained.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { CASH_CHAIN, seedCashOrders, type OpenCash } from '../cash-orders/seed-cash-orders.ts'

const chains = [{ chainId: CASH_CHAIN, confirmations: 0 }]
const COUNT = 7

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const run = sql.typeAlias('void')
/** Cash-outs of which the database refuses to write that one has its deposit. */
async function seedOneSpoilt(): Promise<{ orders: OpenCash[]; spoilt: OpenCash }> {
  const orders = await seedCashOrders(database.pool, COUNT)
  const spoilt = orders[3]!
  await database.pool.query(run`alter table cash_order add check (
    depositor <> ${sql.literalValue(spoilt.depositor)} or deposit_id is null)`)
  return { orders, spoilt }
}
const depositorsOf = (orders: readonly OpenCash[]) => orders.map(({ depositor }) => depositor)
const listDepositing = (orders: readonly OpenCash[]) =>
  database.pool.anyFirst(sql.type(z.object({ depositor: z.string() }))`
    select depositor from cash_order where deposit_id is null
      and depositor = any(${sql.array(depositorsOf(orders), 'text')})`)

it('one order that cannot be written is left out, and all others are reviewed', async () => {
  const { orders, spoilt } = await seedOneSpoilt()
  const { review } = createCashBook(database.pool, chains)
  await expect(review(depositorsOf(orders))).rejects.toThrow()
  const errors: unknown[] = []
  const changed = await runContained(review, depositorsOf(orders), (error) => void errors.push(error))
  expect(changed).toHaveLength(COUNT - 1)
  // Its check is violated.
  expect(errors.map(reasonOf)).toEqual([expect.stringMatching(/ 23514$/)])
  expect(await listDepositing(orders)).toEqual([spoilt.depositor])
})

it('the follower goes on with its other orders, and its log names no address', async () => {
  const { orders, spoilt } = await seedOneSpoilt()
  const lines: string[] = []
  const told: string[] = []
  const follower = new OrderFollower({
    database: database.pool,
    book: createCashBook(database.pool, chains),
    indexer: { onChanged: () => () => undefined },
    chains,
    tell: (quoteIds) => void told.push(...quoteIds),
    logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  })
  // The sweep finds them.
  follower.start()
  await expect.poll(() => listDepositing(orders)).toEqual([spoilt.depositor])
  await follower.stop()
  expect(told.length).toBeGreaterThanOrEqual(COUNT - 1)
  expect(lines.join('')).toContain('left out')
  expect(lines.join('')).not.toContain(spoilt.depositor)
})

it('when the database ends the connection, no depositor is skipped', async () => {
  const orders = await seedCashOrders(database.pool, 2)
  const errors: unknown[] = []
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('begin')
  await client.query('lock table cash_order')
  const { review } = createCashBook(database.pool, chains)
  const reviewed = runContained(review, depositorsOf(orders), (error) => void errors.push(error))
  const refused = expect(reviewed).rejects.toThrow()
  const endWaiting = async () => {
    const ended = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return ended.rowCount
  }
  await expect.poll(endWaiting).toBe(1)
  await refused
  await client.end()
  expect(errors).toEqual([])
})
