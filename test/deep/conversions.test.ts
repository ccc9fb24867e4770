import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { conversionStory } from '../relayer/transact/kinds/pool-deposit/conversion-story.ts'
import { openConversions } from '../relayer/transact/kinds/pool-deposit/conversion-world.ts'
import { killAt, STAGES } from '../relayer/transact/submissions/kill-submissions.ts'
import {
  startSubmissionWorld,
  type SubmissionWorld,
} from '../relayer/transact/submissions/start-submission-world.ts'

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

it('a thousand deposits from several addresses are made once each, and no transaction holds two addresses of one account', () =>
  conversionStory(world, { accounts: 250, addresses: 4, spacingMs: 2_000 }))

it.each(STAGES)('after a kill when a deposit is %s, every deposit is made once', async (stage) => {
  const conversions = await openConversions(world)
  const quotes = [
    await conversions.convert(await conversions.openConverter(3)),
    await conversions.convert(await conversions.openConverter(2)),
  ]
  world.blocks.keepMining()
  await killAt(world, quotes, stage, { config: { conversionSpacingMs: 1_000 } })
  const service = await world.start(conversions.settings(1_000, { confirmations: 1 }))
  await Promise.all(quotes.map(({ accountId, submission }) => service.submit(accountId, submission)))
  const ended = await world.settled()
  for (const { quoteId } of quotes) expect(ended.find(({ id }) => id === quoteId)!.status).toBe('confirmed')
  await conversions.expectTrueDeposits()
})
