import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  startSubmissionWorld,
  type Sender,
  type SubmissionWorld,
  type TestQuote,
} from './start-submission-world.ts'
import type { RunningSubmissions } from './start-submissions.ts'

let world: SubmissionWorld
beforeAll(async () => {
  world = await startSubmissionWorld()
})
afterEach(async () => {
  await world.stopServices()
  await world.blocks.stopMining()
  await world.blocks.release()
})
afterAll(() => world.stop())

const FAST = { batchWindowMs: 10 }

const statusOf = async (quoteId: string) => (await world.quotes()).find(({ id }) => id === quoteId)?.status

/** One quote per address of an account. */
const quoteEach = ({ accountId, keys }: Sender, delegate = true) =>
  Promise.all(keys.map((key) => world.quote({ accountId, keys: [key] }, { delegate })))

/** Submits all at once, distributed over the services. */
async function submitAll(services: readonly RunningSubmissions[], quotes: readonly TestQuote[]) {
  const answers = await Promise.allSettled(
    quotes.map(({ accountId, submission }, place) =>
      services[place % services.length]!.submit(accountId, submission),
    ),
  )
  const refusals = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  )
  return { accepted: answers.length - refusals.length, refusals }
}

it('pending payments count as unpaid for an account with failures at our cost', async () => {
  const config = { ...FAST, maxUnpaid: 3 }
  const services = [await world.start({ config }), await world.start({ config })]
  const sender = await world.openSender(6)
  const [first, ...honest] = sender.keys
  const thief = { accountId: sender.accountId, keys: [first!] }
  await services[0]!.submit(sender.accountId, (await world.quote(thief)).submission)
  await world.settled()
  await world.refill(thief)
  const bad = await world.quote(thief, { delegate: false })
  await world.blocks.hold()
  const { status } = await services[0]!.submit(sender.accountId, bad.submission)
  expect(status).toBe('submitted')
  await world.takeAway(first!.address)
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  expect(await statusOf(bad.quoteId)).toBe('failed')
  await world.blocks.stopMining()

  const quotes = await quoteEach({ accountId: sender.accountId, keys: honest })
  await world.blocks.hold()
  const { accepted, refusals } = await submitAll(services, quotes)
  expect(accepted).toBe(2)
  for (const refusal of refusals)
    expect(refusal).toMatchObject({
      kind: 'too-many-requests',
      code: 'TOO_MANY_UNDER_WAY',
      retryAfterSeconds: 15,
    })
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  await world.expectTrueLedger()
})

it('an account without failures may have a limited number pending, and more once they have ended', async () => {
  const config = { ...FAST, maxUnpaid: 1, maxUnderWay: 3 }
  const services = [await world.start({ config }), await world.start({ config })]
  const quotes = await quoteEach(await world.openSender(6))
  const other = await world.quote(await world.openSender())
  await world.blocks.hold()
  expect((await submitAll(services, quotes)).accepted).toBe(3)
  // A repeated submission is accepted again, however many are pending.
  const states = new Map((await world.quotes()).map(({ id, status }) => [id, status]))
  const [under = [], left = []] = ['submitted', 'locked'].map((status) =>
    quotes.filter(({ quoteId }) => states.get(quoteId) === status),
  )
  expect([under.length, left.length]).toEqual([3, 3])
  expect((await submitAll(services, under)).accepted).toBe(3)
  expect((await submitAll(services, [other])).accepted).toBe(1)
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  expect((await submitAll(services, left)).accepted).toBe(3)
  await world.settled()
  for (const { quoteId } of [...quotes, other]) expect(await statusOf(quoteId)).toBe('confirmed')
  await world.expectTrueLedger()
})

it('equal submissions that come at once are answered alike, though one of them leaves no room for others', async () => {
  const config = { ...FAST, maxUnderWay: 1 }
  const services = [await world.start({ config }), await world.start({ config })]
  const [quote] = await quoteEach(await world.openSender(1))
  await world.blocks.hold()
  const twins = Array.from({ length: 6 }, () => quote!)
  expect(await submitAll(services, twins)).toEqual({ accepted: twins.length, refusals: [] })
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  expect(await statusOf(quote!.quoteId)).toBe('confirmed')
  await world.expectTrueLedger()
})
