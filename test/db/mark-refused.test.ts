import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { lockNewestForms } from '../../db/chain/broadcast/outbound-forms.ts'
import { insertQueued, writeAssignments } from '../../db/chain/broadcast/outbound-queue.ts'
import { markAccepted, markRefused } from '../../db/chain/broadcast/outbound-watch.ts'
import { sql } from '../../db/connect-database.ts'
import { holdTransaction, untilSomebodyWaits } from '../harness/hold-transaction.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

const SIGNER = '0x1000000000000000000000000000000000000001'
const FORM = '0x01'
const OWNER = crypto.randomUUID()

let database: TestDatabase
let id: string
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const run = (statement: ReturnType<typeof sql.fragment>) =>
  database.pool.query(sql.typeAlias('void')`${statement}`)

/** A transaction of a leased signer whose only form was given to no node yet. */
beforeEach(async () => {
  const { pool } = database
  await run(sql.fragment`truncate outbound_tx, outbound_attempt, signer`)
  id = crypto.randomUUID()
  await insertQueued(
    pool,
    { id, chainId: 1, kind: 'test', reference: id, to: SIGNER, data: '0x', value: 0n, gasLimit: 21_000n },
    '',
  )
  await run(sql.fragment`
    insert into signer (chain_id, address, lease_owner, lease_until, next_tx_nonce)
    values (1, ${SIGNER}, ${OWNER}::uuid, now() + interval '1 hour', 0)`)
  const attempt = {
    hash: FORM,
    raw: '0x02',
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    reserved: 1n,
  } as const
  await writeAssignments(
    pool,
    [{ outboundId: id, signer: SIGNER, txNonce: 0, attempt }],
    [{ chainId: 1, address: SIGNER, txNonce: 1 }],
  )
})

const give = () =>
  holdTransaction(database.pool, (transaction) => lockNewestForms(transaction, [held()], OWNER))
const held = () => ({ id, signer: SIGNER, txNonce: 0 })
const refuse = () =>
  markRefused(database.pool, FORM, { message: 'no', delivery: 'refused', unexplained: 1, lessee: OWNER })
const form = () =>
  database.pool.one(sql.type(z.object({ status: z.string(), delivery: z.string(), refusals: z.int() }))`
    select status, delivery, refusals from outbound_tx join outbound_attempt on outbound_id = id`)

test('a form that is refused while its lease is held is noted as refused', async () => {
  await refuse()
  expect(await form()).toEqual({ status: 'signed', delivery: 'refused', refusals: 1 })
})

test('a writer of refusals holds no lock that a sender to nodes waits for', async () => {
  const { promise: waited, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const giving = holdTransaction(database.pool, async (transaction) => {
    expect((await lockNewestForms(transaction, [held()], OWNER)).size).toBe(1)
    locked()
    await waited
    // Fails at once where the other has the lock.
    await transaction.query(sql.typeAlias('void')`
      select from outbound_attempt where hash = ${FORM} for update nowait`)
    await markAccepted(transaction, [{ hash: FORM, outboundId: id, isNews: true, message: '' }])
  })
  await isLocked
  const refusing = refuse()
  await untilSomebodyWaits(database.pool)
  goOn()
  await (await giving).commit()
  await refusing
  expect(await form()).toEqual({ status: 'sent', delivery: 'accepted', refusals: 1 })
})

test('a refusal that waited until the lease had gone to another instance does not prove that no node has the form', async () => {
  const giving = await give()
  const refusing = refuse()
  await untilSomebodyWaits(database.pool)
  await run(sql.fragment`update signer set lease_owner = ${crypto.randomUUID()}::uuid`)
  await giving.commit()
  await refusing
  expect(await form()).toEqual({ status: 'signed', delivery: 'unknown', refusals: 1 })
})
