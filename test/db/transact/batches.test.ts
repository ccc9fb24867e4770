import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { insertQueued } from '../../../db/chain/broadcast/outbound-queue.ts'
import { sql } from '../../../db/connect-database.ts'
import {
  insertingBatch,
  isBatchTaken,
  listBatchedIntents,
  lockQueuedIntents,
} from '../../../db/transact/batches.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { seedAccount } from '../../relayer/account/seed-account.ts'
import { submitPlainly } from '../../relayer/transact/submissions/submit-plainly.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

/** Two quotes with an intent each, whose ids are those of the quotes, and a transaction for both. */
async function twoQuotes() {
  const { pool } = database
  const shares = []
  for (let count = 0; count < 2; count += 1) {
    const { accountId } = await seedAccount(pool)
    shares.push({ accountId, quoteId: (await submitPlainly(pool, { accountId }))! })
  }
  const intentIds = shares.map(({ quoteId }) => quoteId)
  const [id, outboundId] = [randomUUID(), randomUUID()]
  const batch = { id, chainId: 1, outboundId, shares, intentIds }
  const call = {
    id: outboundId,
    chainId: 1,
    kind: 'intents',
    reference: id,
    value: 0n,
    gasLimit: 1n,
  } as const
  const write = () =>
    insertQueued(pool, { ...call, to: '0x01', data: '0x' }, '{}', insertingBatch(batch, sql.fragment`select`))
  const inOutbox = () =>
    pool.exists(sql.type(z.object({}))`select from outbound_tx where id = ${outboundId}::uuid`)
  return { batch, write, inOutbox }
}

it('a batch, its intents and its transaction are written by one statement', async () => {
  const { batch, write, inOutbox } = await twoQuotes()
  await write()
  const batched = await listBatchedIntents(database.pool, batch.id)
  expect(batched.map(({ id }) => id).toSorted()).toEqual(batch.intentIds.toSorted())
  expect(await inOutbox()).toBe(true)
  // The second time they wait no more.
  await expect(write()).rejects.toSatisfy((error) => isBatchTaken(error) || /unique/i.test(String(error)))
})

it('the database writes nothing while another instance holds one of the intents', async () => {
  const { batch, write, inOutbox } = await twoQuotes()
  const [locked, gate] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
  const other = database.pool.transaction(async (transaction) => {
    locked.resolve((await lockQueuedIntents(transaction, batch.intentIds.slice(0, 1))).size)
    await gate.promise
  })
  expect(await locked.promise).toBe(1)
  await expect(write()).rejects.toSatisfy(isBatchTaken)
  gate.resolve()
  await other
  expect(await inOutbox()).toBe(false)
  expect(await listBatchedIntents(database.pool, batch.id)).toEqual([])
  await write()
  expect(await listBatchedIntents(database.pool, batch.id)).toHaveLength(2)
})
