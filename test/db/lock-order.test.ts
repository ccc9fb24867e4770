import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { insertAttempt, insertQueued, markReviewed } from '../../db/chain/broadcast/outbound-queue.ts'
import { noteOffered } from '../../db/chain/broadcast/outbound-forms.ts'
import { emptyUnmined, finishMined, forgetSettled } from '../../db/chain/broadcast/outbound-settle.ts'
import { markMined } from '../../db/chain/broadcast/outbound-watch.ts'
import { addSigners, raiseNextTxNonces, releaseLeases } from '../../db/chain/broadcast/signer-leases.ts'
import { sql } from '../../db/connect-database.ts'
import { postponeIntents } from '../../db/transact/batches.ts'
import { forgetEndedIntents } from '../../db/transact/intents-submit.ts'
import { mixBooks } from '../../db/pool/book/pool-books.ts'
import { deleteOldAttempts, foldTotals } from '../../db/upkeep-tasks.ts'
import { expectLockOrder } from '../harness/expect-lock-order.ts'
import { holdTransaction, untilSomebodyWaits } from '../harness/hold-transaction.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { seedAccount } from '../relayer/account/seed-account.ts'
import { submitPlainly } from '../relayer/transact/submissions/submit-plainly.ts'

const OWNER = crypto.randomUUID()
const LOW = '00000000-0000-4000-8000-000000000001'
const HIGH = '00000000-0000-4000-8000-000000000002'
const [LOW_SIGNER, HIGH_SIGNER] = ['0x01', '0x02']
const HASH = { [LOW]: '0x0a', [HIGH]: '0x0b' } as const

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const run = (statement: ReturnType<typeof sql.fragment>) =>
  database.pool.query(sql.typeAlias('void')`${statement}`)
const row = (id: string) => sql.fragment`select from outbound_tx where id = ${id}`

/** The one with the higher id is written first, so that the table's own order is the other one. */
beforeEach(async () => {
  await run(sql.fragment`truncate outbound_tx, outbound_attempt, signer`)
  for (const [id, signer] of [
    [HIGH, HIGH_SIGNER],
    [LOW, LOW_SIGNER],
  ] as const) {
    await insertQueued(
      database.pool,
      { id, chainId: 1, kind: 'test', reference: id, to: '0x03', data: '0x05', value: 0n, gasLimit: 21_000n },
      '',
    )
    await insertAttempt(database.pool, id, attemptOf(HASH[id]))
    await addSigners(database.pool, [{ chainId: 1, address: signer }])
  }
})

const attemptOf = (hash: `0x${string}`) =>
  ({ hash, raw: '0x02', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, reserved: 1n }) as const
const sign = () =>
  run(sql.fragment`update outbound_tx set status = 'signed', signer = '0x01', tx_nonce = position`)

/** Expects that a change of both transactions waits for the lower one before it locks the higher. */
const expectInOrder = (work: () => Promise<unknown>) =>
  expectLockOrder(database.pool, { first: row(LOW), later: row(HIGH) }, work)

const statusOf = (id: string) =>
  database.pool.oneFirst(sql.type(z.object({ status: z.string() }))`
    select status from outbound_tx where id = ${id}`)

describe('transactions that are changed together are locked in the order of their ids', () => {
  const block = { hash: '0x0b', blockHash: '0x0c', blockNumber: 1n, succeeded: true } as const

  it('when they enter and leave blocks', async () => {
    await sign()
    await expectInOrder(() =>
      markMined(database.pool, [
        { id: HIGH, block },
        { id: LOW, block: null },
      ]),
    )
    expect(await statusOf(HIGH)).toBe('sent')
  })

  it('when they end', async () => {
    await sign()
    const end = { status: 'confirmed', ...block, fee: 1n, gasUsed: 1n, message: '' } as const
    await expectInOrder(async () =>
      expect(
        await finishMined(
          database.pool,
          [HIGH, LOW].map((id) => ({ id, ...end })),
        ),
      ).toEqual(new Set([LOW, HIGH])),
    )
    expect(await finishMined(database.pool, [{ id: LOW, ...end }])).toEqual(new Set())
  })

  it('when they are made empty', async () => {
    await sign()
    await expectInOrder(async () =>
      expect(await emptyUnmined(database.pool, 1, sql.fragment`true`, 21_000n)).toBe(2),
    )
  })

  it('when they are reviewed', async () => {
    await expectInOrder(() => markReviewed(database.pool, [HIGH, LOW]))
  })

  it('before their forms, when these are to be offered again', async () => {
    await sign()
    await run(sql.fragment`update outbound_attempt set delivery = 'refused'`)
    const later = sql.fragment`select from outbound_tx join outbound_attempt on outbound_id = id where id = ${HIGH}`
    await expectLockOrder(database.pool, { first: row(LOW), later }, () =>
      noteOffered(database.pool, [HASH[HIGH], HASH[LOW]]),
    )
    const refused = sql.typeAlias('void')`select from outbound_attempt where delivery = 'refused'`
    expect(await database.pool.exists(refused)).toBe(false)
  })
})

it('a refusal noted while a form waits to be offered again is taken back as well', async () => {
  await sign()
  const noting = await holdTransaction(database.pool, async (transaction) => {
    await transaction.query(
      sql.typeAlias('void')`select from outbound_tx where id = ${LOW} for no key update`,
    )
    await transaction.query(sql.typeAlias('void')`
      update outbound_attempt set delivery = 'refused' where hash = ${HASH[LOW]}`)
  })
  const offering = noteOffered(database.pool, [HASH[LOW]])
  await untilSomebodyWaits(database.pool)
  await noting.commit()
  await offering
  const refused = sql.typeAlias('void')`select from outbound_attempt where delivery = 'refused'`
  expect(await database.pool.exists(refused)).toBe(false)
})

describe('signers that are changed together are locked in the order of their addresses', () => {
  const signer = (address: string) => sql.fragment`select from signer where address = ${address}`
  const rows = { first: signer(LOW_SIGNER), later: signer(HIGH_SIGNER) }

  it('when their nonces are raised', async () => {
    await expectLockOrder(database.pool, rows, () =>
      raiseNextTxNonces(
        database.pool,
        1,
        [HIGH_SIGNER, LOW_SIGNER].map((address) => ({ address, counted: 3 })),
      ),
    )
    const raised = sql.typeAlias('void')`select from signer where next_tx_nonce = 3`
    expect((await database.pool.query(raised)).rowCount).toBe(2)
  })

  it('when an instance gives up its leases', async () => {
    await run(
      sql.fragment`update signer set lease_owner = ${OWNER}::uuid, lease_until = now() + interval '1 hour'`,
    )
    await expectLockOrder(database.pool, rows, () => releaseLeases(database.pool, OWNER))
    const leased = sql.typeAlias('void')`select from signer where lease_owner is not null`
    expect(await database.pool.exists(leased)).toBe(false)
  })
})

it('intents that wait to be judged are locked in the order of their ids', async () => {
  const submitted: string[] = []
  for (let count = 0; count < 2; count += 1) {
    const { accountId } = await seedAccount(database.pool)
    submitted.push((await submitPlainly(database.pool, { accountId }))!)
  }
  const intent = (id: string | undefined) => sql.fragment`select from intent where id = ${id ?? null}::uuid`
  const [low, high] = submitted.toSorted()
  await run(sql.fragment`update intent set attempts = 1 where id = ${low ?? null}::uuid`)
  await expectLockOrder(database.pool, { first: intent(low), later: intent(high) }, () =>
    postponeIntents(database.pool, submitted, 60_000),
  )
})

it("ended intents under another's lock are forgotten later, and not waited for", async () => {
  const { accountId } = await seedAccount(database.pool)
  const [one, other] = [
    (await submitPlainly(database.pool, { accountId }))!,
    (await submitPlainly(database.pool, { accountId }))!,
  ]
  await run(sql.fragment`
    update intent set status = 'failed', ended_at = now() - interval '1 hour' where account_id = ${accountId}`)
  const held = await holdTransaction(database.pool, (transaction) =>
    transaction.query(sql.typeAlias('void')`select from intent where id = ${one} for update`),
  )
  const remembered = sql.type(z.object({ id: z.string() }))`
    select id from intent where id in (${one}, ${other}) and encoded is not null`
  await forgetEndedIntents(database.pool, 1)
  expect(await database.pool.anyFirst(remembered)).toEqual([one])
  await held.commit()
  await forgetEndedIntents(database.pool, 1)
  expect(await database.pool.anyFirst(remembered)).toEqual([])
})

it("settled transactions under another's lock are forgotten later, and not waited for", async () => {
  await run(sql.fragment`update outbound_tx set status = 'abandoned', settled_at = now() - interval '1 hour'`)
  const held = await holdTransaction(database.pool, (transaction) =>
    transaction.query(sql.typeAlias('void')`${row(LOW)} for update`),
  )
  const remembered = sql.type(z.object({ id: z.string() }))`select id from outbound_tx where data is not null`
  await forgetSettled(database.pool, 1)
  expect(await database.pool.anyFirst(remembered)).toEqual([LOW])
  await held.commit()
  await forgetSettled(database.pool, 1)
  expect(await database.pool.anyFirst(remembered)).toEqual([])
})

it('a form that serves a new transaction is not deleted as that of an old one', async () => {
  await run(sql.fragment`
    update outbound_tx set status = 'abandoned', settled_at = now() - interval '90 days' where id = ${LOW}`)
  await run(sql.fragment`
    update outbound_attempt set created_at = now() - interval '90 days' where hash = ${HASH[LOW]}`)
  // The nonce was free since then, and the same call takes it.
  const signing = await holdTransaction(database.pool, (transaction) =>
    insertAttempt(transaction, HIGH, attemptOf(HASH[LOW])),
  )
  const deleting = deleteOldAttempts(database.pool, { most: 10, days: 30 })
  await untilSomebodyWaits(database.pool)
  await signing.commit()
  expect(await deleting).toBe(0)
})

it('books are mixed while totals are folded', async () => {
  const folding = await holdTransaction(database.pool, (transaction) =>
    foldTotals(transaction, { most: 10, marginMs: 0 }),
  )
  const key = { accountId: OWNER, chainId: 1, pool: '0x01' }
  await Promise.all([mixBooks(database.pool, key), mixBooks(database.pool, key)])
  await folding.commit()
})
