import { randomBytes, randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { insertConversions } from '../../../../db/pool/notes/pool-conversions.ts'
import { changeAspSet } from '../../../../db/pool/tree/asp-set.ts'
import { sql } from '../../../../db/connect-database.ts'
import { insertLockingQuote } from '../../../../db/transact/quotes.ts'
import { markSpent, releaseSpent, reserveFunds } from '../../../../db/transact/reservations.ts'
import { deleteLapsedQuotes } from '../../../../db/upkeep-tasks.ts'
import { deleteAccount } from '../../../../relayer/account/erasure/account-data.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import { expectLockOrder } from '../../../harness/expect-lock-order.ts'
import { holdTransaction, untilSomebodyWaits } from '../../../harness/hold-transaction.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedCashOrders } from '../../transact/cash-orders/seed-cash-orders.ts'
import { seedOrders } from '../../transact/orders/seed-orders.ts'
import { newQuote, seedQuote } from '../seed-quote.ts'
import { seedWholeAccount, type SeededAccount } from './seed-whole-account.ts'

const CHAIN = 1
const TOKEN = '0x0000000000000000000000000000000000000000'
const vault = createVault([createKeyWrapper(randomBytes(32))])

let database: TestDatabase
let leaver: SeededAccount
/** The database without retries of transactions that PostgreSQL aborts. */
let once: DatabasePool
beforeAll(async () => {
  database = await openTestDatabase()
  const { pool } = database
  once = { ...pool, transaction: (work) => pool.transaction(work, 0) }
})
afterAll(() => database?.drop())
beforeEach(async () => {
  leaver = await seedWholeAccount(database.pool, vault)
})

const run = (statement: ReturnType<typeof sql.fragment>) =>
  database.pool.query(sql.typeAlias('void')`${statement}`)
const erase = () => deleteAccount(once, leaver.accountId)

/** Two addresses of the account, the lower first, that a payment emptied in a block that is not released yet. */
async function spendAll(): Promise<{ quoteId: string; low: string; high: string }> {
  const quoteId = await seedQuote(database.pool, leaver.accountId)
  const [low, high] = leaver.addresses.slice(1).toSorted()
  for (const address of [high!, low!]) {
    await run(sql.fragment`
      insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
      values (${CHAIN}, ${address}, 'native', ${TOKEN}, 100, false, 9, '0x')`)
    const row = { chainId: CHAIN, address, token: TOKEN, amount: 10n, networkFee: 0n, serviceFee: 0n }
    await reserveFunds(database.pool, quoteId, [row as Parameters<typeof reserveFunds>[2][number]])
  }
  await markSpent(database.pool, [{ quoteId, blockNumber: 9n }])
  return { quoteId, low: low!, high: high! }
}

it('an erasure waits for funds in the order in which their release locks them, before it deletes their reservations', async () => {
  const { quoteId, low, high } = await spendAll()
  const first = sql.fragment`select from locked_funds where address = ${low} and token = ${TOKEN}`
  const later = sql.fragment`
    select from locked_funds join reservation using (chain_id, address, token)
    where quote_id = ${quoteId} and address = ${high}`
  expect(await expectLockOrder(database.pool, { first, later }, erase)).toBe(true)
})

it('spent funds that are released while their account is being erased are erased with it', async () => {
  await spendAll()
  const held = await holdTransaction(database.pool, (transaction) =>
    transaction.query(sql.typeAlias('void')`
      select from locked_funds where address = any(${sql.array(leaver.addresses, 'text')}) and token <> ${TOKEN}
      for update`),
  )
  const erasing = erase()
  await untilSomebodyWaits(database.pool)
  const releasing = once.transaction((transaction) => releaseSpent(transaction, CHAIN, 9n))
  await untilSomebodyWaits(database.pool, 2)
  await held.commit()
  expect(await Promise.allSettled([erasing, releasing])).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'fulfilled', value: 0 },
  ])
})

it('a quote waits for the erasure of its account before it locks funds', async () => {
  const { low: address } = await spendAll()
  const { accountId } = leaver
  const row = { chainId: CHAIN, address, token: TOKEN, amount: 10n, networkFee: 0n, serviceFee: 0n }
  const rows = {
    first: sql.fragment`select from account where id = ${accountId}`,
    later: sql.fragment`select from locked_funds where address = ${address} and token = ${TOKEN}`,
  }
  await expectLockOrder(database.pool, rows, () =>
    insertLockingQuote(database.pool, newQuote(accountId), [
      row as Parameters<typeof insertLockingQuote>[2][number],
    ]),
  )
})

it('an erasure waits for orders in the order in which their followers lock them', async () => {
  for (const [table, seed] of [
    ['bridge_order', seedOrders],
    ['cash_order', seedCashOrders],
  ] as const) {
    const [older, newer] = await seed(database.pool, 2)
    const orderOf = (depositor: string) =>
      sql.fragment`select from ${sql.identifier([table])} where depositor = ${depositor}`
    const accountId = await database.pool.oneFirst(sql.type(z.object({ accountId: z.string() }))`
      select account_id as "accountId" from stealth_address where address = ${older!.depositor}`)
    const rows = { first: orderOf(older!.depositor), later: orderOf(newer!.depositor) }
    expect(await expectLockOrder(database.pool, rows, () => deleteAccount(once, accountId))).toBe(true)
  }
})

it('the upkeep leaves quotes of an account that is being erased to the erasure', async () => {
  const { accountId } = leaver
  const quoteId = await seedQuote(database.pool, accountId)
  await insertConversions(database.pool, { quoteId, accountId, pool: { chainId: CHAIN, address: '0x01' } }, [
    { place: 0, address: '0x02', depositIndex: 7, precommitment: 7n, gross: 10n, net: 9n, depositFee: 0n },
  ])
  await run(sql.fragment`
    update quote set status = 'expired', ended_at = now() - interval '90 days' where id = ${quoteId}`)
  // The erasure has deleted the conversion, and not the quote yet.
  const held = await holdTransaction(database.pool, (transaction) =>
    transaction.query(
      sql.typeAlias('void')`select from dapp_call where account_id = ${accountId} for update`,
    ),
  )
  const erasing = erase()
  await untilSomebodyWaits(database.pool)
  const deleted = await once.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`set local lock_timeout = '5s'`)
    return deleteLapsedQuotes(transaction, { most: 10, days: 30 })
  })
  expect(deleted).toBe(0)
  await held.commit()
  expect(await erasing).toBe(true)
})

it('an association set locks the owners of all its deposits before it writes the first label', async () => {
  const label = await database.pool.oneFirst(sql.type(z.object({ label: z.bigint() }))`
    select label from pool_event where kind = 'deposit' and account = any(${sql.array(leaver.addresses, 'text')})`)
  // More than one statement takes, and the account’s deposit among the last.
  const labels = [...Array.from({ length: 5_000 }, (_, place) => String(1_000_000 + place)), String(label)]
  const after = { root: 1n, frontier: [], lineage: randomUUID() }
  const change = { chainId: CHAIN, before: null, keep: 0, labels, after }
  const first = sql.fragment`select from account where id = ${leaver.accountId}`
  const writing = sql.fragment`
    select from (select pg_try_advisory_xact_lock(7236514989) as free offset 0) as standings where 1 / free::int4 = 1`
  const held = await holdTransaction(database.pool, async (transaction) => {
    await transaction.query(sql.typeAlias('void')`${first} for update`)
    return transaction
  })
  const changing = changeAspSet(once, change)
  await untilSomebodyWaits(database.pool)
  // As an erasure, which holds the account, when it comes to the deposits: fails if another transaction has that lock.
  await held.result.query(sql.typeAlias('void')`${writing}`)
  await held.commit()
  expect(await changing).toBe(true)
})
