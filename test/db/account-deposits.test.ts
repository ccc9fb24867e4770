import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommonQueryMethods } from 'slonik'
import { bytesToHex, getAddress, type Address } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findProfile } from '../../db/account/profile/accounts.ts'
import { sql } from '../../db/connect-database.ts'
import { recordReviews, sumPoolDeposits } from '../../db/account/balances/pool-deposits.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { seedAccount } from '../relayer/account/seed-account.ts'

const CHAIN = 1
const run = sql.typeAlias('void')
const random = () => getAddress(bytesToHex(randomBytes(20)))
const pool = { chainId: CHAIN, address: random() }
const asset = random()

let database: TestDatabase
let accountId: string
let address: Address
let label = 1n
beforeAll(async () => {
  database = await openTestDatabase()
  await database.pool.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, pool, asset)
    values (${CHAIN}, '0x00', 0, 0, now(), '0x00', 'pool-registered', 'entrypoint', ${pool.address}, ${asset})`)
})
beforeEach(async () => {
  ;({ accountId } = await seedAccount(database.pool))
  address = random()
  label += 1n
})
afterAll(() => database?.drop())

const own = (connection: CommonQueryMethods) =>
  connection.query(run`
    insert into stealth_address (address, account_id, derivation_nonce) values (${address}, ${accountId}, 0)`)
const deposit = (connection: CommonQueryMethods) =>
  connection.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, account,
      value, label)
    values (${CHAIN}, ${String(label)}, 1, 1, now(), '0x01', 'deposit', ${pool.address}, ${address}, 7, ${label})`)
const review = (connection: CommonQueryMethods) =>
  recordReviews(connection, pool, [{ label, status: 'approved' }])
const list = (connection: CommonQueryMethods) =>
  connection.query(run`
    insert into asp_set (chain_id, position, label) values (${CHAIN}, ${label}, ${label}) on conflict do nothing`)
const unlist = (connection: CommonQueryMethods) =>
  connection.query(run`delete from asp_set where chain_id = ${CHAIN} and label = ${label}`)
const approve = async (connection: CommonQueryMethods) => {
  await review(connection)
  await list(connection)
}
const nothing = { chainId: CHAIN, asset, pendingApproval: 0n, approved: 0n, declined: 0n }

/** Runs the second while the first's transaction is open, then ends the first. */
async function runBeside(
  first: (connection: CommonQueryMethods) => Promise<unknown>,
  second: (connection: CommonQueryMethods) => Promise<unknown>,
): Promise<void> {
  const written = Promise.withResolvers<void>()
  const tried = Promise.withResolvers<void>()
  const open = database.pool.transaction(async (transaction) => {
    await first(transaction)
    written.resolve()
    await tried.promise
  })
  await Promise.race([written.promise, open])
  const beside = second(database.pool)
  // Long enough to finish unless it waits for a lock.
  await Promise.race([beside, sleep(150)])
  tried.resolve()
  await Promise.all([open, beside])
}

test.each([
  ['a deposit is indexed', 'its address is added', deposit, own],
  ['an address is added', 'its deposit is indexed', own, deposit],
])('while %s, %s, and both take effect', async (_one, _other, first, second) => {
  await runBeside(first, second)
  expect(await sumPoolDeposits(database.pool, accountId)).toEqual([{ ...nothing, pendingApproval: 7n }])
  expect(await findProfile(database.pool, accountId)).toMatchObject({ hasPoolDeposits: true })
})

test.each([
  ['a deposit is indexed', 'it is reviewed', deposit, approve, [own]],
  ['a deposit is reviewed', 'it is indexed', approve, deposit, [own]],
  ['an address is added', 'its deposit is reviewed', own, approve, [deposit]],
  ['a deposit is reviewed', 'its address is added', approve, own, [deposit]],
  ['a deposit is reviewed', 'its label joins the association set', review, list, [deposit, own]],
  ['a label joins the association set', 'its deposit is reviewed', list, review, [deposit, own]],
])('while %s, %s, and both take effect', async (_one, _other, first, second, before) => {
  for (const write of before) await write(database.pool)
  await runBeside(first, second)
  expect(await sumPoolDeposits(database.pool, accountId)).toEqual([{ ...nothing, approved: 7n }])
})

test('an approved deposit is available only while its label is in the association set', async () => {
  await own(database.pool)
  await deposit(database.pool)
  await review(database.pool)
  expect(await sumPoolDeposits(database.pool, accountId)).toEqual([{ ...nothing, pendingApproval: 7n }])
  await list(database.pool)
  expect(await sumPoolDeposits(database.pool, accountId)).toEqual([{ ...nothing, approved: 7n }])
  await unlist(database.pool)
  expect(await sumPoolDeposits(database.pool, accountId)).toEqual([{ ...nothing, pendingApproval: 7n }])
  await list(database.pool)
  await recordReviews(database.pool, pool, [{ label, status: 'declined' }])
  expect(await sumPoolDeposits(database.pool, accountId)).toEqual([{ ...nothing, declined: 7n }])
})

test('a transaction that is rolled back leaves no deposits behind', async () => {
  await own(database.pool)
  await expect(
    database.pool.transaction(async (transaction) => {
      await deposit(transaction)
      await review(transaction)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await sumPoolDeposits(database.pool, accountId)).toEqual([])
  expect(await findProfile(database.pool, accountId)).toMatchObject({ hasPoolDeposits: false })
})

test('a deposit is given back once, however many ragequits of its label a reorg takes back', async () => {
  await own(database.pool)
  await deposit(database.pool)
  await database.pool.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, label)
    select ${CHAIN}, ${`ragequit ${label}`}, place, 2, now(), '0x02', 'ragequit', ${pool.address}, ${label}
    from generate_series(1, 2) as place`)
  expect(await sumPoolDeposits(database.pool, accountId)).toEqual([])
  expect(await findProfile(database.pool, accountId)).toMatchObject({ hasPoolDeposits: true })
  await database.pool.query(run`delete from pool_event where chain_id = ${CHAIN} and block_number = 2`)
  expect(await sumPoolDeposits(database.pool, accountId)).toEqual([{ ...nothing, pendingApproval: 7n }])
})
