import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { insertSubdomain } from '../../../../db/account/subdomains/subdomains.ts'
import { feeWaiversConfig } from '../../../../relayer/account/fee-waivers/config.ts'
import { createFeeWaivers } from '../../../../relayer/account/fee-waivers/fee-waivers.ts'
import { bookReferralEarning } from '../../../../relayer/account/referrals/book-referral-earning.ts'
import { referralsConfig } from '../../../../relayer/account/referrals/config.ts'
import { createReferrals } from '../../../../relayer/account/referrals/create-referrals.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../seed-account.ts'

const terms = {
  referrerShareBps: 2_500,
  referredDiscountBps: 500,
  earningDurationDays: 30,
  minimumRewardUsdCents: 5,
}
const TOKEN = '0x0000000000000000000000000000000000000000'

let database: TestDatabase
const open = (settings: object = terms) =>
  createReferrals(database.pool, referralsConfig.parse(settings), 'pay.eth')
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.drop())

const account = async () => (await seedAccount(database.pool)).accountId
const apply = (accountId: string, code: string, referrals = open()) =>
  database.pool.transaction((connection) => referrals.apply(connection, { accountId, code }))

async function referred() {
  const referrer = await account()
  const { code } = await open().openProfile(referrer)
  const accountId = await account()
  expect(await apply(accountId, code)).toBe(true)
  return { referrer, code, accountId }
}

const fee = (accountId: string, serviceFee: bigint, serviceFeeUsdMicros: bigint | null = 10_000_000n) => ({
  quoteId: randomUUID(),
  accountId,
  chainId: 1,
  token: TOKEN,
  serviceFee,
  serviceFeeUsdMicros,
})
const book = (given: ReturnType<typeof fee>) =>
  database.pool.transaction((connection) => bookReferralEarning(connection, given))
const discountOf = async (accountId: string) => {
  const waivers = createFeeWaivers(database.pool, feeWaiversConfig.parse({}))
  return (await waivers.readTerms(accountId)).discountBps
}

describe('a profile', () => {
  it('is created on first use, once, also by simultaneous requests', async () => {
    const accountId = await account()
    const opened = await Promise.all(Array.from({ length: 8 }, () => open().openProfile(accountId)))
    expect(new Set(opened.map(({ code }) => code)).size).toBe(1)
    expect(opened[0]).toEqual({ code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{10}$/), ...terms })
  })

  it('is found by its code in any spelling, and by name once there is one', async () => {
    const accountId = await account()
    const { code } = await open().openProfile(accountId)
    expect(await open().findByCode(code)).toEqual({ code, referrerName: null, ...terms })
    const typed = `${code.slice(0, 5)}-${code.slice(5)}`
      .toLowerCase()
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')
    expect(await open().findByCode(typed)).toMatchObject({ code })
    await insertSubdomain(database.pool, { name: 'referee', accountId, inviteCode: null })
    const found = { code, referrerName: 'referee', ...terms }
    expect(await open().findByCode(code)).toEqual(found)
    for (const name of ['referee', 'Referee', 'referee.pay.eth', 'Referee.PAY.eth'])
      expect(await open().findByName(name)).toEqual(found)
  })

  it('is not found by the name of an account without one', async () => {
    await insertSubdomain(database.pool, { name: 'bystander', accountId: await account(), inviteCode: null })
    for (const name of ['bystander', 'nobody', '\u0430lice', 'referee.other.eth', ''])
      await expect(open().findByName(name)).rejects.toMatchObject({ kind: 'not-found' })
    for (const code of ['', 'XXXXXXXXXX', 'U', 'x'.repeat(1_000), "'; drop table account"])
      await expect(open().findByCode(code)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('cannot be opened while there is no programme', async () => {
    const { code, accountId } = await referred()
    const closed = open({ enabled: false })
    expect([open().isAvailable(), closed.isAvailable()]).toEqual([true, false])
    await expect(closed.openProfile(accountId)).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(closed.findByCode(code)).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(closed.findByName('referee')).rejects.toMatchObject({ kind: 'forbidden' })
    expect(await apply(await account(), code, closed)).toBe(false)
    expect(await closed.readAttribution(accountId)).toMatchObject({ status: 'active' })
  })
})

describe('an attribution', () => {
  it('retains the terms of the day when it was made', async () => {
    const { accountId } = await referred()
    const later = open({ referrerShareBps: 1, referredDiscountBps: 1, minimumRewardUsdCents: 1 })
    const attribution = await later.readAttribution(accountId)
    const { earningDurationDays, ...kept } = terms
    expect(attribution).toEqual({
      ...kept,
      referrerName: null,
      earningStartsAt: expect.any(Date),
      earningEndsAt: expect.any(Date),
      revokedAt: null,
      status: 'active',
    })
    const days =
      (attribution.earningEndsAt.getTime() - attribution.earningStartsAt.getTime()) / (24 * 3_600_000)
    expect(days).toBe(earningDurationDays)
    expect(await discountOf(accountId)).toBe(500)
  })

  it('is created once, also by simultaneous requests', async () => {
    const { accountId } = await referred()
    const { code } = await open().openProfile(await account())
    expect(await apply(accountId, code)).toBe(false)
    const fresh = await account()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => apply(fresh, code)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
  })

  it("is not created by an unknown code, the account's own or a disabled account's", async () => {
    const accountId = await account()
    const { code } = await open().openProfile(accountId)
    expect(await apply(accountId, code)).toBe(false)
    expect(await apply(accountId, 'XXXXXXXXXX')).toBe(false)
    expect(await apply(accountId, 'not a code at all')).toBe(false)
    await database.pool.query(sql.typeAlias('void')`
      update account set disabled_at = now() where id = ${accountId}`)
    expect(await apply(await account(), code)).toBe(false)
  })

  it('is created in the same transaction as the account', async () => {
    const { code } = await referred()
    const accountId = await account()
    const undone = database.pool.transaction(async (connection) => {
      expect(await open().apply(connection, { accountId, code })).toBe(true)
      throw new Error('the account was not created after all')
    })
    await expect(undone).rejects.toThrow('after all')
    await expect(open().readAttribution(accountId)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('is ended once and for good', async () => {
    const { accountId, referrer } = await referred()
    const ended = await open().endAttribution(accountId)
    expect(ended).toMatchObject({ status: 'revoked', revokedAt: expect.any(Date) })
    expect(await open().endAttribution(accountId)).toEqual(ended)
    expect(await discountOf(accountId)).toBe(0)
    expect(await book(fee(accountId, 1_000n))).toBeNull()
    expect(await open().summarize(referrer)).toEqual({
      totalReferrals: 1,
      activeReferrals: 0,
      totalEarnedUsd: '0.00',
    })
    const { code } = await open().openProfile(await account())
    expect(await apply(accountId, code)).toBe(false)
    await expect(open().endAttribution(await account())).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('ends after its time', async () => {
    const { accountId } = await referred()
    await database.pool.query(sql.typeAlias('void')`
      update referral_attribution set earning_starts_at = now() - interval '31 days', earning_ends_at = now()
      where account_id = ${accountId}`)
    expect(await open().readAttribution(accountId)).toMatchObject({ status: 'expired', revokedAt: null })
    expect(await book(fee(accountId, 1_000n))).toBeNull()
    expect(await discountOf(accountId)).toBe(0)
  })
})

describe('an earning', () => {
  it('is booked once for a quote, also by simultaneous requests', async () => {
    const { accountId, referrer } = await referred()
    const given = fee(accountId, 1_001n, 1_234_568n)
    const booked = await Promise.all(Array.from({ length: 8 }, () => book(given)))
    expect(booked.filter((share) => share !== null)).toEqual([250n])
    expect(await open().summarize(referrer)).toMatchObject({ totalEarnedUsd: '0.308642' })
  })

  it('is zero when the share is below the minimum reward, and is booked when there is no price', async () => {
    const { accountId, referrer } = await referred()
    expect(await book(fee(accountId, 4_000n, 199_999n))).toBe(0n)
    expect(await book(fee(accountId, 4_000n, 200_000n))).toBe(1_000n)
    expect(await book(fee(accountId, 4_000n, null))).toBe(1_000n)
    expect(await book(fee(accountId, 0n))).toBeNull()
    expect(await open().summarize(referrer)).toMatchObject({ totalEarnedUsd: '0.05' })
  })

  it('is not booked when the account has no referrer', async () => {
    expect(await book(fee(await account(), 1_000n))).toBeNull()
  })
})
