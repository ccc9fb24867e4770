import { randomInt, randomUUID } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { sumDays } from '../../db/daily-books.ts'
import { sumLedger } from '../../db/pool/relay/relay-ledger.ts'
import { countRequests } from '../../db/pool/relay/relay-requests.ts'
import { countUsage } from '../../db/transact/count-usage.ts'
import { sumSends } from '../../db/transact/send-ledger.ts'
import { deleteLapsedQuotes, deleteOldAttempts, foldTotals } from '../../db/upkeep-tasks.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { seedYears } from '../deep/years/seed-years.ts'

const MINUTE = 60_000

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await seedYears(database.url, 1_000)
  // As if nothing had been folded yet.
  for (const table of ['relay_total', 'send_total', 'end_total', 'daily_total'])
    await database.pool.query(sql.typeAlias('void')`truncate ${sql.identifier([table])}`)
  await database.pool.query(sql.typeAlias('void')`update total_mark set folded_to = '-infinity'`)
})
afterAll(() => database?.drop())

/** Books a relay confirmed the given minutes ago. */
const book = (connection: CommonQueryMethods, minutesAgo: number, withdrawn: bigint) =>
  connection.query(sql.typeAlias('void')`
    with request as (
      insert into relay_request (id, chain_id, pool, asset, nullifier_hash, context, withdrawn, status, outbound_id, updated_at)
      values (${randomUUID()}, 5, 'pool', 'asset', ${randomInt(2 ** 40)}, 1, 1, 'confirmed', ${randomUUID()},
        now() - ${minutesAgo} * interval '1 minute')
      returning id, updated_at
    )
    insert into relay_ledger (request_id, chain_id, pool, asset, withdrawn, fee_received, gas_spent, top_up_spent, gas_used,
      tx_hash, booked_at)
    select id, 5, 'pool', 'asset', ${withdrawn}, 2, 3, 4, 5, '0x01', updated_at from request`)

async function readAll() {
  const { pool } = database
  return {
    ledger: await sumLedger(pool),
    sends: await sumSends(pool),
    requests: await countRequests(pool),
    usage: await countUsage(pool),
    days: await sumDays(pool, { from: '2000-01-01', to: '2100-01-01' }),
  }
}

/** The sum of one column of a table, counted row by row. */
const addUp = (table: string, column: string) =>
  database.pool.oneFirst(sql.type(z.object({ sum: z.bigint() }))`
    select coalesce(sum(${sql.identifier([column])}), 0)::numeric as sum from ${sql.identifier([table])}`)
const total = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)

test('sums are exact before, while and after bookings are folded into totals, in small steps', async () => {
  await book(database.pool, 1, 7n)
  const before = await readAll()
  expect(before.usage.confirmed).toBeGreaterThan(0)
  expect(before.requests.failed).toBeGreaterThan(0)
  expect(total(before.ledger.map(({ gasSpent }) => gasSpent))).toBe(await addUp('relay_ledger', 'gas_spent'))
  expect(total(before.sends.map(({ networkFee }) => networkFee))).toBe(
    await addUp('send_income', 'network_fee'),
  )
  expect(total(before.sends.map(({ gasSpent }) => gasSpent))).toBe(await addUp('send_gas', 'gas_spent'))

  expect(new Set(before.days.map(({ day }) => day)).size).toBeGreaterThan(1)
  expect(total(before.days.map(({ gasSpent }) => gasSpent))).toBe(
    (await addUp('relay_ledger', 'gas_spent')) +
      (await addUp('relay_ledger', 'top_up_spent')) +
      (await addUp('send_gas', 'gas_spent')),
  )

  const batch = { most: 100, marginMs: 10 * MINUTE }
  expect(await foldTotals(database.pool, batch)).toBe(true)
  expect(await readAll()).toEqual(before)
  let steps = 1
  while (await foldTotals(database.pool, batch)) steps += 1
  expect(steps).toBeGreaterThan(3)
  expect(await readAll()).toEqual(before)
  // Two that fold at once count nothing twice.
  await Promise.all([foldTotals(database.pool, batch), foldTotals(database.pool, batch)])
  expect(await readAll()).toEqual(before)
})

test('the totals miss no booking of a pending transaction, however long it takes', async () => {
  const relays = async () =>
    (await sumLedger(database.pool)).find(({ chainId }) => chainId === 5)?.relays ?? 0
  const before = await relays()
  let end = () => {}
  const mayEnd = new Promise<void>((resolve) => (end = resolve))
  let wrote = () => {}
  const hasWritten = new Promise<void>((resolve) => (wrote = resolve))
  const slow = database.pool.transaction(async (transaction) => {
    await book(transaction, 0, 9n)
    wrote()
    await mayEnd
  })
  await Promise.race([hasWritten, slow])
  // Later, and final at once; and folding waits only for pending transactions.
  await book(database.pool, 0, 9n)
  await foldTotals(database.pool, { most: 100, marginMs: 0 })
  end()
  await slow
  await foldTotals(database.pool, { most: 100, marginMs: 0 })
  expect(await relays()).toBe(before + 2)
})

test('a statement deletes no more rows than it may, and none that is younger or was submitted', async () => {
  const count = (table: string, condition = sql.fragment`true`) =>
    database.pool.oneFirst(sql.type(z.object({ rows: z.int() }))`
      select count(*)::int4 as rows from ${sql.identifier([table])} where ${condition}`)
  const lapsed = sql.fragment`status = 'expired'`
  const young = sql.fragment`status = 'expired' and ended_at > now() - interval '30 days'`
  const [submitted, old, kept] = [
    await count('quote', sql.fragment`status <> 'expired'`),
    await count('quote', lapsed),
    await count('quote', young),
  ]
  expect(old - kept).toBeGreaterThan(100)
  expect(await deleteLapsedQuotes(database.pool, { most: 100, days: 30 })).toBe(100)
  expect(await count('quote', lapsed)).toBe(old - 100)
  while ((await deleteLapsedQuotes(database.pool, { most: 500, days: 30 })) === 500);
  expect(await count('quote', lapsed)).toBe(await count('quote', young))
  expect(await count('quote', sql.fragment`status <> 'expired'`)).toBe(submitted)

  const attempts = await count('outbound_attempt')
  expect(await deleteOldAttempts(database.pool, { most: 100, days: 90 })).toBe(100)
  expect(await count('outbound_attempt')).toBe(attempts - 100)
  // Every form of a pending transaction stays, whatever its age.
  await database.pool.query(sql.typeAlias('void')`
    update outbound_tx set status = 'sent', settled_at = null where id in (
      select outbound_id from outbound_attempt where created_at < now() - interval '90 days' limit 5)`)
  while ((await deleteOldAttempts(database.pool, { most: 1_000, days: 90 })) === 1_000);
  const old90 = sql.fragment`created_at < now() - interval '90 days'`
  expect(await count('outbound_attempt', old90)).toBeGreaterThan(0)
  expect(
    await count(
      'outbound_attempt',
      sql.fragment`${old90} and outbound_id in (select id from outbound_tx where settled_at < now() - interval '90 days')`,
    ),
  ).toBe(0)
})
