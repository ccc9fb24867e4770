import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { endLockedQuote, insertQuote } from '../../../db/transact/quotes.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { seedAccount } from '../../relayer/account/seed-account.ts'
import { newQuote, seedQuote } from '../../relayer/account/seed-quote.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const count = (accountId: string, status: string) =>
  database.pool.oneFirst(sql.type(z.object({ rows: z.int() }))`
    select count(*)::int4 as rows from quote where account_id = ${accountId} and status = ${status}`)

/** As when so many quotes of an account had been unlocked, a second apart. */
async function lapse(accountId: string, quotes: number): Promise<void> {
  const quoteId = await seedQuote(database.pool, accountId)
  await database.pool.query(sql.typeAlias('void')`
    insert into quote select (jsonb_populate_record(quote, jsonb_build_object('id', gen_random_uuid(), 'status', 'unlocked',
      'ended_at', now() - place * interval '1 second'))).*
    from quote cross join generate_series(1, ${quotes}) as place where quote.id = ${quoteId}`)
}

test('an account retains its 5,000 newest unsubmitted quotes, and every other account its own', async () => {
  const [{ accountId: busy }, { accountId: calm }] = [
    await seedAccount(database.pool),
    await seedAccount(database.pool),
  ]
  await lapse(busy, 5_004)
  await lapse(calm, 3)
  const quote = newQuote(busy)
  await insertQuote(database.pool, quote)
  expect(await endLockedQuote(database.pool, quote.id, 'unlocked')).toBe(true)
  expect(await count(busy, 'unlocked')).toBe(5_001)
  expect(await count(busy, 'confirmed')).toBe(1)
  expect(await count(calm, 'unlocked')).toBe(3)
})
