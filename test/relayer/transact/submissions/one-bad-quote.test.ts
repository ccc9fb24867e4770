import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { insertAttribution } from '../../../../db/account/referrals/referral-attributions.ts'
import { openReferralProfile } from '../../../../db/account/referrals/referral-profiles.ts'
import { sql } from '../../../../db/connect-database.ts'
import { makeReferralCode } from '../../../../relayer/account/referrals/create-referrals.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { startSubmissionWorld, type SubmissionWorld, type TestQuote } from './start-submission-world.ts'
import type { RunningSubmissions } from './start-submissions.ts'

let world: SubmissionWorld
let service: RunningSubmissions
beforeAll(async () => {
  world = await startSubmissionWorld()
  service = await world.start({ config: { batchWindowMs: 1_500 } })
})
afterAll(() => world?.stop())

let code: string
beforeEach(async () => {
  const { accountId } = await seedAccount(world.pool)
  code = (await openReferralProfile(world.pool, accountId, makeReferralCode()))!
})

/** A quote of a new account that the referrer brought. */
async function openReferred(): Promise<TestQuote> {
  const quote = await world.quote(await world.openSender())
  await refer(quote)
  return quote
}

async function refer({ accountId }: TestQuote): Promise<void> {
  await insertAttribution(world.pool, {
    id: randomUUID(),
    accountId,
    code,
    referrerShareBps: 5_000,
    referredDiscountBps: 0,
    minimumRewardUsdCents: 0,
    earningDurationDays: 30,
  })
}

/** Submits quotes so that one transaction carries all of them. */
async function submitTogether(quotes: readonly TestQuote[]): Promise<void> {
  // Quotes that come just after a lone quote share a batch.
  const first = await world.quote(await world.openSender())
  await service.submit(first.accountId, first.submission)
  const sent = await Promise.all(quotes.map((one) => service.submit(one.accountId, one.submission)))
  expect(new Set(sent.map(({ txHash }) => txHash)).size).toBe(1)
}

const run = (statement: ReturnType<typeof sql.fragment>) =>
  world.pool.query(sql.typeAlias('void')`${statement}`)
const idsOf = (quotes: readonly TestQuote[]) =>
  sql.array(
    quotes.map(({ quoteId }) => quoteId),
    'uuid',
  )
const states = (quotes: readonly TestQuote[]) =>
  world.pool.anyFirst(sql.type(z.object({ status: z.string() }))`
    select status from quote join unnest(${idsOf(quotes)}) with ordinality as asked (id, place) using (id) order by place`)
const shares = (quotes: readonly TestQuote[]) =>
  world.pool.anyFirst(sql.type(z.object({ share: z.bigint().nullable() }))`
    select referrer_share as share from unnest(${idsOf(quotes)}) with ordinality as asked (quote_id, place)
      left join referral_earning using (quote_id) order by place`)
const waiting = () =>
  world.pool.any(sql.type(z.object({ quoteId: z.string(), reason: z.string(), attempts: z.int() }))`
    select quote_id as "quoteId", reason, attempts from unbooked_earning`)

it("a referrer's share that cannot be booked keeps no quote from ending, and is booked once it can be", async () => {
  const quotes = [await openReferred(), await openReferred(), await openReferred()]
  const bad = quotes[1]!
  await run(sql.fragment`alter table referral_earning add constraint refused check (
    quote_id <> ${sql.literalValue(bad.quoteId)})`)
  await submitTogether(quotes)
  await world.until(
    () => states(quotes),
    (found) => found.every((status) => status === 'confirmed'),
  )
  expect(await shares(quotes)).toEqual([1n, null, 1n])
  expect(await waiting()).toEqual([
    { quoteId: bad.quoteId, reason: expect.stringMatching(/ 23514$/), attempts: 1 },
  ])
  // It is tried again before that can succeed, and waits longer.
  await run(sql.fragment`update unbooked_earning set next_at = now()`)
  await world.until(waiting, ([row]) => row?.attempts === 2)
  await run(sql.fragment`alter table referral_earning drop constraint refused`)
  expect(await shares(quotes)).toEqual([1n, null, 1n])
  await run(sql.fragment`update unbooked_earning set next_at = now()`)
  await world.until(waiting, (rows) => rows.length === 0)
  expect(await shares(quotes)).toEqual([1n, 1n, 1n])
  await world.expectTrueLedger()
})

it('a quote whose end cannot be written leaves the others of its batch settled, and ends once it can', async () => {
  const quotes = [await openReferred(), await openReferred(), await openReferred()]
  const bad = quotes[1]!
  await run(sql.fragment`alter table quote add constraint refused check (
    id <> ${sql.literalValue(bad.quoteId)} or status in ('locked', 'submitted'))`)
  await submitTogether(quotes)
  await world.until(
    () => states(quotes),
    (found) => found.filter((status) => status === 'confirmed').length === 2,
  )
  expect(await states(quotes)).toEqual(['confirmed', 'submitted', 'confirmed'])
  expect(await shares(quotes)).toEqual([1n, null, 1n])
  await run(sql.fragment`alter table quote drop constraint refused`)
  // The next judgement is half a minute later: that time passes.
  await world.until(
    async () => {
      await run(sql.fragment`update intent set not_before = now() where quote_id = ${bad.quoteId}`)
      return states(quotes)
    },
    (found) => found.every((status) => status === 'confirmed'),
  )
  expect(await shares(quotes)).toEqual([1n, 1n, 1n])
  await world.expectTrueLedger()
})

it('a referrer gets the share of the executed part of a quote', async () => {
  const sender = await world.openSender(2)
  const before = await world.quote(sender)
  await service.submit(before.accountId, before.submission)
  await world.settled()
  await world.refill(sender)
  const quote = await world.quote(sender, { delegate: false })
  await refer(quote)
  await run(sql.fragment`update quote set service_fee_usd_micros = 12 where id = ${quote.quoteId}`)
  await world.blocks.hold()
  await service.submit(quote.accountId, quote.submission)
  await world.takeAway(sender.keys[1]!.address)
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  await world.blocks.stopMining()
  const failure = await world.pool.oneFirst(sql.type(z.object({ code: z.string().nullable() }))`
    select failure_code as code from quote where id = ${quote.quoteId}`)
  expect(failure).toBe('PARTIALLY_EXECUTED')
  // One of two addresses paid: two units, worth 6 millionths of a dollar, and half of that is the referrer's.
  const earning = await world.pool.any(
    sql.type(z.object({ fee: z.bigint(), share: z.bigint(), usd: z.bigint().nullable() }))`
    select service_fee as fee, referrer_share as share, referrer_share_usd_micros as usd
    from referral_earning where quote_id = ${quote.quoteId}`,
  )
  expect(earning).toEqual([{ fee: 2n, share: 1n, usd: 3n }])
})
