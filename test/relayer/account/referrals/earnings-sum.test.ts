import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { bookReferralEarning } from '../../../../relayer/account/referrals/book-referral-earning.ts'
import { referralsConfig } from '../../../../relayer/account/referrals/config.ts'
import { createReferrals } from '../../../../relayer/account/referrals/create-referrals.ts'
import { shareFee } from '../../../../relayer/account/referrals/book-referral-earning.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../seed-account.ts'

const sumRow = z.object({ serviceFee: z.bigint(), referrerShare: z.bigint() })

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.drop())

const uint256 = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
const usdMicros = fc.option(fc.bigInt({ min: 0n, max: 10n ** 15n }))

it("a referrer's share never exceeds the fee and loses less than one unit to rounding", () => {
  fc.assert(
    fc.property(
      uint256,
      usdMicros,
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      (serviceFee, serviceFeeUsdMicros, referrerShareBps, minimumRewardUsdCents) => {
        const { referrerShare } = shareFee(
          { serviceFee, serviceFeeUsdMicros },
          { referrerShareBps, minimumRewardUsdCents },
        )
        const exact = serviceFee * BigInt(referrerShareBps)
        expect(referrerShare >= 0n && referrerShare <= serviceFee).toBe(true)
        if (referrerShare > 0n) expect(exact - referrerShare * 10_000n < 10_000n).toBe(true)
      },
    ),
  )
})

it('the booked earnings add up to the fees, also when bookings are repeated, simultaneous or unpriced', async () => {
  const referrals = createReferrals(database.pool, referralsConfig.parse({}))
  const { accountId: referrer } = await seedAccount(database.pool)
  const { code } = await referrals.openProfile(referrer)
  const { accountId } = await seedAccount(database.pool)
  await referrals.apply(database.pool, { accountId, code })

  let taken = 0n
  let given = 0n
  const fees = fc.array(
    fc.record({ serviceFee: uint256, serviceFeeUsdMicros: usdMicros, times: fc.nat(3) }),
    {
      maxLength: 6,
    },
  )
  await fc.assert(
    fc.asyncProperty(fees, async (quotes) => {
      const bookings = quotes.flatMap(({ times, ...amounts }) => {
        const fee = { quoteId: randomUUID(), accountId, chainId: 1, token: 'T', ...amounts }
        if (times > 0) taken += fee.serviceFee
        return Array.from({ length: times }, () => fee)
      })
      const shares = await Promise.all(
        bookings.map((fee) =>
          database.pool.transaction((connection) => bookReferralEarning(connection, fee)),
        ),
      )
      for (const share of shares) given += share ?? 0n
      const sum = await database.pool.one(sql.type(sumRow)`
        select coalesce(sum(service_fee), 0) as "serviceFee", coalesce(sum(referrer_share), 0) as "referrerShare"
        from referral_earning`)
      expect(sum).toEqual({ serviceFee: taken, referrerShare: given })
    }),
    { numRuns: 15 },
  )
  expect(given).toBeGreaterThan(0n)
})
