import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { askInOneStatement } from '../../db/ask-in-one-statement.ts'
import { sql } from '../../db/connect-database.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const snapshot = z.object({ transaction: z.string() })
/** Each statement outside a transaction has a snapshot time of its own. */
const momentOf = (name: string) =>
  sql.fragment`select jsonb_build_object('transaction', now()::text, 'name', ${name}::text)`

test('questions that come together travel as one statement, and each gets its own answer', async () => {
  const { pool } = database
  const named = snapshot.extend({ name: z.string() })
  const [one, other] = await Promise.all(
    ['one', 'other'].map((name) => askInOneStatement(pool, momentOf(name), named)),
  )
  expect([one?.name, other?.name]).toEqual(['one', 'other'])
  expect(one?.transaction).toBe(other?.transaction)

  const later = await askInOneStatement(pool, momentOf('later'), named)
  expect(later.name).toBe('later')
  expect(later.transaction).not.toBe(one?.transaction)
})

test('questions that come together fail together, and the next are answered', async () => {
  const { pool } = database
  const wrong = sql.fragment`select to_jsonb(1 / 0)`
  const results = await Promise.allSettled([
    askInOneStatement(pool, momentOf('one'), snapshot),
    askInOneStatement(pool, wrong, z.number()),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(askInOneStatement(pool, sql.fragment`select to_jsonb(5)`, z.number())).resolves.toBe(5)
})

test('an answer of another shape is refused to its asker alone', async () => {
  const { pool } = database
  const [good, bad] = await Promise.allSettled([
    askInOneStatement(pool, sql.fragment`select to_jsonb(5)`, z.number()),
    askInOneStatement(pool, sql.fragment`select to_jsonb('five'::text)`, z.number()),
  ])
  expect([good?.status, bad?.status]).toEqual(['fulfilled', 'rejected'])
})
