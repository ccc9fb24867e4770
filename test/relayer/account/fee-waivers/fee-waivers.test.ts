import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { feeWaiversConfig } from '../../../../relayer/account/fee-waivers/config.ts'
import { createFeeWaivers } from '../../../../relayer/account/fee-waivers/fee-waivers.ts'
import { deleteAccount } from '../../../../relayer/account/erasure/account-data.ts'
import { createTransientSecrets } from '../../../../relayer/identity/transient-secrets.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { ageAccount, seedAccount, type TestAccount } from '../seed-account.ts'

const DAY = 24 * 3_600_000
const none = { active: false, source: null, activeUntil: null }

let database: TestDatabase
const secrets = createTransientSecrets(randomBytes(32))
const open = (settings: object = { claimDays: 10, waiverDays: 3 }) =>
  createFeeWaivers(database.pool, feeWaiversConfig.parse(settings), secrets)
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.drop())

const claim = (accountId: string, waivers = open()) =>
  database.pool.transaction((connection) => waivers.claimActivation(connection, accountId))

it('a new account is offered some time without fees, once', async () => {
  const { accountId } = await seedAccount(database.pool)
  const expiry = await open().offerExpiresAt(accountId)
  expect(Math.abs(expiry!.getTime() - Date.now() - 10 * DAY)).toBeLessThan(60_000)
  expect(await open().read(accountId)).toEqual(none)
  // Nothing is taken while it stands, and nothing after it was claimed.
  expect(await open().readTerms(accountId)).toEqual({ waived: true, discountBps: 0 })

  const claims = await Promise.all(Array.from({ length: 6 }, () => claim(accountId)))
  expect(claims.filter(Boolean)).toHaveLength(1)
  const waiver = await open().read(accountId)
  expect(waiver).toMatchObject({ active: true, source: 'activation' })
  expect(Math.abs(waiver.activeUntil!.getTime() - Date.now() - 3 * DAY)).toBeLessThan(60_000)
  expect(await open().offerExpiresAt(accountId)).toBeNull()
  expect(await open().readTerms(accountId)).toEqual({ waived: true, discountBps: 0 })
})

it('a waiver ends and cannot be claimed again', async () => {
  const { accountId } = await seedAccount(database.pool)
  await claim(accountId)
  await database.pool.query(sql.typeAlias('void')`
    update fee_waiver set active_until = now() where account_id = ${accountId}`)
  expect(await open().read(accountId)).toEqual(none)
  expect(await open().readTerms(accountId)).toEqual({ waived: false, discountBps: 0 })
  expect(await claim(accountId)).toBe(false)
})

it('an account that is deleted and created again gets no second offer, and another account still gets one', async () => {
  const remake = async (old: TestAccount): Promise<string> => {
    expect(await deleteAccount(database.pool, old.accountId)).toBe(true)
    const { accountId } = await seedAccount(database.pool)
    const authAddress = old.spender.address
    await database.pool.query(sql.typeAlias('void')`
      update account set auth_address = ${authAddress} where id = ${accountId}`)
    await database.pool.transaction((connection) => open().welcome(connection, { accountId, authAddress }))
    return accountId
  }
  const [taker, looker] = [await seedAccount(database.pool), await seedAccount(database.pool)]
  expect(await claim(taker.accountId)).toBe(true)
  const [again, first] = [await remake(taker), await remake(looker)]
  expect(await open().readTerms(again)).toEqual({ waived: false, discountBps: 0 })
  expect(await open().offerExpiresAt(again)).toBeNull()
  expect(await claim(again)).toBe(false)
  expect(await open().readTerms(first)).toEqual({ waived: true, discountBps: 0 })
  expect(await claim(first)).toBe(true)
})

it('a waiver cannot be claimed too late or where none is offered', async () => {
  const { accountId } = await seedAccount(database.pool)
  const closed = open({ waiverDays: 0 })
  expect(await closed.offerExpiresAt(accountId)).toBeNull()
  expect(await closed.readTerms(accountId)).toEqual({ waived: false, discountBps: 0 })
  expect(await claim(accountId, closed)).toBe(false)
  await ageAccount(database.pool, accountId, 10)
  expect(await open().offerExpiresAt(accountId)).toBeNull()
  expect(await claim(accountId)).toBe(false)
  expect(await open().read(accountId)).toEqual(none)
  expect(await open().readTerms(accountId)).toEqual({ waived: false, discountBps: 0 })
})

it('of several waivers the one that lasts longest counts', async () => {
  const { accountId } = await seedAccount(database.pool)
  await claim(accountId)
  await database.pool.query(sql.typeAlias('void')`
    insert into fee_waiver (account_id, source) values (${accountId}, 'collectible')`)
  expect(await open().read(accountId)).toEqual({ active: true, source: 'collectible', activeUntil: null })
  // One without an end counts also where nothing is offered, and after the other has ended.
  await database.pool.query(sql.typeAlias('void')`
    update fee_waiver set active_until = now() where account_id = ${accountId} and source = 'activation'`)
  expect(await open({ waiverDays: 0 }).readTerms(accountId)).toMatchObject({ waived: true })
})
