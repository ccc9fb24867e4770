import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { markAccepted } from '../../db/chain/broadcast/outbound-watch.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const waits = sql.type(z.object({ waits: z.string() }))`
  select current_setting('synchronous_commit') as waits`

test("only the commit that notes a node's acceptance does not wait for the disk", async () => {
  const none = { hash: '0x00' as const, outboundId: crypto.randomUUID(), isNews: false, message: '' }
  await database.pool.connect(async (connection) => {
    await connection.transaction(async (transaction) => {
      expect(await transaction.oneFirst(waits)).toBe('on')
      expect(await markAccepted(transaction, [none])).toEqual(new Set())
      expect(await transaction.oneFirst(waits)).toBe('off')
    })
    expect(await connection.oneFirst(waits)).toBe('on')
  })
})
