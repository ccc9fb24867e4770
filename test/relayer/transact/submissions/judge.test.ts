import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { startDoor, type Door } from '../../../harness/start-door.ts'
import { startSubmissionWorld, type SubmissionWorld, type TestQuote } from './submission-world.ts'

let world: SubmissionWorld
let door: Door
beforeAll(async () => {
  world = await startSubmissionWorld()
  door = await startDoor(world.chain.config.rpcUrls[0]!)
})
afterAll(async () => {
  await world.stopServices()
  await door.close()
  await world.stop()
})

it('a payment goes out while the node keeps back the logs by which failing payments of others are judged', async () => {
  // Nothing is indexed: the logs that are asked for are those of failing quotes.
  const service = await world.start({
    chain: { rpcUrls: [door.url] },
    index: false,
    config: { batchWindowMs: 1_000, sendWaitMs: 0 },
  })
  const statusOf = async (quoteId: string) =>
    (await world.quotes()).find(({ id }) => id === quoteId)?.status ?? 'missing'
  const quotes: TestQuote[] = []
  for (let index = 0; index < 5; index += 1) quotes.push(await world.quote(await world.openSender()))
  const submit = (quote: TestQuote) => service.submit(quote.accountId, quote.submission)
  const [first, other, ...failing] = quotes as [TestQuote, TestQuote, ...TestQuote[]]
  const held = door.hold(['eth_getLogs'])
  // A lone quote goes at once; those that come after it are gathered for a second.
  await submit(first)
  for (const quote of failing) await submit(quote)
  const late = failing.map(({ quoteId }) => quoteId)
  await world.pool.query(sql.typeAlias('void')`
    update intent set expires_at = now() + interval '5 s'
    where quote_id = any(${sql.array(late, 'uuid')}) and status = 'queued'`)
  await world.until(
    () => Promise.resolve(held.waiting()),
    (waiting) => waiting > 0,
  )

  await submit(other)
  await world.until(
    () => Promise.all([statusOf(first.quoteId), statusOf(other.quoteId)]),
    (both) => both.every((status) => status === 'confirmed'),
  )
  expect(held.waiting()).toBeGreaterThan(0)
  expect(held.givenUp(), 'questions that were given up before').toBe(0)
  expect(await Promise.all(late.map(statusOf))).toEqual(Array(3).fill('submitted'))

  held.letGo()
  await world.until(
    () => Promise.all(late.map(statusOf)),
    (all) => all.every((status) => status === 'failed'),
  )
  for (const quoteId of late)
    expect((await world.quotes()).find(({ id }) => id === quoteId)).toMatchObject({
      failure: expect.stringMatching(/^1 of 1 failed/),
      live: 0n,
    })
})
