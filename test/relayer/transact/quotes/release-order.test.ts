import { randomUUID } from 'node:crypto'
import pino from 'pino'
import type { CommonQueryMethods } from 'slonik'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { endIntents } from '../../../../db/transact/intents-end.ts'
import { markSpent, releaseSpent, reserveFunds } from '../../../../db/transact/reservations.ts'
import { releaseEnded } from '../../../../relayer/transact/quotes/release-quotes.ts'
import { endQuotes } from '../../../../relayer/transact/submissions/end-quote.ts'
import { expectLockOrder } from '../../../harness/expect-lock-order.ts'
import { holdTransaction, untilSomebodyWaits } from '../../../harness/hold-transaction.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { seedLockedQuote, submitPlainly } from '../submissions/submit-plainly.ts'

const CHAIN = 1
const TOKEN = '0x00'
const logger = pino({ level: 'silent' })

let database: TestDatabase
let accountId: string
beforeAll(async () => {
  database = await openTestDatabase()
  accountId = (await seedAccount(database.pool)).accountId
})
afterAll(() => database?.drop())

const run = (statement: ReturnType<typeof sql.fragment>) =>
  database.pool.query(sql.typeAlias('void')`${statement}`)

let derivationNonce = 0
/** Two addresses with a balance of 100 each, the lower first. */
async function openAddresses(): Promise<[string, string]> {
  const stem = randomUUID().replaceAll('-', '')
  const addresses: [string, string] = [`0x${stem}0000000a`, `0x${stem}0000000b`]
  for (const address of addresses) {
    await run(sql.fragment`
      insert into stealth_address (address, account_id, derivation_nonce)
      values (${address}, ${accountId}, ${derivationNonce++})`)
    await run(sql.fragment`
      insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
      values (${CHAIN}, ${address}, 'native', ${TOKEN}, 100, false, 3, '0x')`)
  }
  return addresses
}

async function reserve(connection: CommonQueryMethods, quoteId: string, address: string): Promise<void> {
  const row = { chainId: CHAIN, address, token: TOKEN, amount: 10n, networkFee: 0n, serviceFee: 0n }
  await reserveFunds(connection, quoteId, [row as Parameters<typeof reserveFunds>[2][number]])
}

const lockOf = (address: string) => sql.fragment`select from locked_funds where address = ${address}`
const lockedAt = (address: string) =>
  database.pool.oneFirst(sql.type(z.object({ amount: z.bigint() }))`
    select amount from locked_funds where address = ${address}`)

describe('funds of quotes that end together are released in the order of their addresses', () => {
  it('when the quotes run out', async () => {
    const [low, high] = await openAddresses()
    for (const [address, hoursAgo] of [
      [high, 2],
      [low, 1],
    ] as const) {
      const quoteId = await seedLockedQuote(database.pool, { accountId })
      await reserve(database.pool, quoteId, address)
      await run(sql.fragment`
        update quote set expires_at = now() - ${hoursAgo} * interval '1 hour' where id = ${quoteId}`)
    }
    await expectLockOrder(database.pool, { first: lockOf(low), later: lockOf(high) }, () =>
      releaseEnded(database.pool, logger),
    )
    expect([await lockedAt(low), await lockedAt(high)]).toEqual([0n, 0n])
  })

  // Whichever of the two ends first.
  it.each([0, 1])('when their intents fail, of which number %i has the higher address', async (place) => {
    const [low, high] = await openAddresses()
    const quoteIds: string[] = []
    for (let count = 0; count < 2; count += 1)
      quoteIds.push((await submitPlainly(database.pool, { accountId }))!)
    for (const [index, quoteId] of quoteIds.toSorted().entries())
      await reserve(database.pool, quoteId, index === place ? high : low)
    await expectLockOrder(database.pool, { first: lockOf(low), later: lockOf(high) }, () =>
      database.pool.transaction(async (transaction) => {
        await endIntents(
          transaction,
          quoteIds.map((id) => ({ id, status: 'failed', txHash: null, error: 'no' })),
        )
        await endQuotes(transaction, quoteIds, [], logger)
      }),
    )
    expect([await lockedAt(low), await lockedAt(high)]).toEqual([0n, 0n])
  })
})

it('a release leaves funds found spent while it waits for a lock to the next one, which locks them in order', async () => {
  const [low, high] = await openAddresses()
  const quoteId = await seedLockedQuote(database.pool, { accountId })
  for (const address of [low, high]) await reserve(database.pool, quoteId, address)
  await markSpent(database.pool, [{ quoteId, address: high, blockNumber: 3n }])
  const held = await holdTransaction(database.pool, (transaction) =>
    transaction.query(sql.typeAlias('void')`${lockOf(high)} for update`),
  )
  const releasing = database.pool.transaction((transaction) => releaseSpent(transaction, CHAIN, 3n))
  await untilSomebodyWaits(database.pool)
  await markSpent(database.pool, [{ quoteId, address: low, blockNumber: 3n }])
  await held.commit()
  expect(await releasing).toBe(1)
  expect([await lockedAt(low), await lockedAt(high)]).toEqual([10n, 0n])
  expect(await database.pool.transaction((transaction) => releaseSpent(transaction, CHAIN, 3n))).toBe(1)
})

describe('only the quote or funds that cannot be released are left out', () => {
  const refuse = (address: string) =>
    run(sql.fragment`
      alter table locked_funds add constraint refused check (address <> ${sql.literalValue(address)} or amount > 0)`)
  const stopRefusing = () => run(sql.fragment`alter table locked_funds drop constraint refused`)

  it('when quotes run out', async () => {
    const [low, high] = await openAddresses()
    for (const address of [low, high]) {
      const quoteId = await seedLockedQuote(database.pool, { accountId })
      await reserve(database.pool, quoteId, address)
      await run(sql.fragment`update quote set expires_at = now() where id = ${quoteId}`)
    }
    await refuse(low)
    await releaseEnded(database.pool, logger)
    expect([await lockedAt(low), await lockedAt(high)]).toEqual([10n, 0n])
    await stopRefusing()
    await releaseEnded(database.pool, logger)
    expect([await lockedAt(low), await lockedAt(high)]).toEqual([0n, 0n])
  })

  it('when funds were spent', async () => {
    await run(sql.fragment`insert into indexed_chain (chain_id, start_block, block_number, block_hash) values (${CHAIN}, 0, 3, '0x')
      on conflict do nothing`)
    const [low, high] = await openAddresses()
    for (const address of [low, high]) {
      const quoteId = await seedLockedQuote(database.pool, { accountId })
      await reserve(database.pool, quoteId, address)
      await markSpent(database.pool, [{ quoteId, address, blockNumber: 3n }])
    }
    await refuse(low)
    await releaseEnded(database.pool, logger)
    expect([await lockedAt(low), await lockedAt(high)]).toEqual([10n, 0n])
    await stopRefusing()
    await releaseEnded(database.pool, logger)
    expect([await lockedAt(low), await lockedAt(high)]).toEqual([0n, 0n])
  })
})
