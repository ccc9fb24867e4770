import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { createMemoryCounter } from '../../../db/shared-state/create-memory-state.ts'
import { createCostlyTurns } from '../../../gateway/limits/fair-gate.ts'
import { createRateLimiter } from '../../../gateway/limits/create-rate-limiter.ts'
import type { OperationContext } from '../../../schema/define/context.ts'
import { invoke, invokeInParts } from '../../../schema/define/invoke.ts'
import { defineOperation } from '../../../schema/define/operation.ts'
import { described, shape } from '../../../schema/define/shape.ts'
import { partialServices } from '../../gateway/partial-services.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

/** Counts its own writes. */
const counting = (terms: { kind: 'query' | 'mutation'; rest: 'GET /count' | 'POST /count' }) =>
  defineOperation({
    ...terms,
    name: 'count',
    status: 200,
    access: 'public',
    errors: [],
    section: 'Test',
    summary: 'Count',
    description: 'Writes a row.',
    input: {},
    output: shape('Count', 'Rows so far.', { rows: described(z.int(), 'How many.') }),
    async run() {
      await write()
      return { rows: await countRows() }
    },
    answerInParts: async () => ({
      version: '1',
      async parts() {
        await write()
        return []
      },
    }),
  })

const write = () =>
  database.pool.query(sql.typeAlias('void')`
    insert into token_price (chain_id, address, usd, source, observed_at)
    values (1, ${`0x${Math.random()}`}, 1, 'test', now())`)
const countRows = async () =>
  Number(
    await database.pool.oneFirst(
      sql.type(z.object({ rows: z.bigint() }))`select count(*) as rows from token_price`,
    ),
  )

const context = (): OperationContext => ({
  services: partialServices({}),
  client: { address: '10.0.0.1' },
  hasToken: true,
  authenticate: async () => null,
  idempotencyKey: null,
  idempotency: { once: (_, run) => run(async () => {}) },
  signal: new AbortController().signal,
  costly: createCostlyTurns(100),
  limiter: createRateLimiter({ rateCounter: ({ seconds }) => createMemoryCounter(seconds) }),
})

test('a query that writes fails and leaves nothing, by every method', async () => {
  for (const rest of ['GET /count', 'POST /count'] as const) {
    const operation = counting({ kind: 'query', rest })
    await expect(invoke(operation, {}, context())).rejects.toThrow('A read may not write: insert into')
    const { answerInParts } = operation
    const { parts } = await invokeInParts({ ...operation, answerInParts: answerInParts! }, {}, context())
    await expect(parts()).rejects.toThrow('A read may not write')
  }
  expect(await countRows()).toBe(0)
})

test('a mutation writes, and none is asked by GET', async () => {
  expect(await invoke(counting({ kind: 'mutation', rest: 'POST /count' }), {}, context())).toEqual({
    rows: 1,
  })
  expect(() => counting({ kind: 'mutation', rest: 'GET /count' })).toThrow('GET is for queries')
})
