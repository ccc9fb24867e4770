import { afterAll, beforeAll, expect, it } from 'vitest'
import { crowdStory } from './crowd-story.ts'
import { startSubmissionWorld, type SubmissionWorld } from './start-submission-world.ts'

let world: SubmissionWorld
beforeAll(async () => {
  world = await startSubmissionWorld()
})
afterAll(() => world.stop())

it('twenty accounts that submit to two instances are each paid once, in shared batches that cost less gas', async () => {
  const services = [await world.start(), await world.start()]
  const gas = await crowdStory(world, services, 20)
  expect(gas.transactions).toBeLessThan(20)
  expect(gas.ratio, JSON.stringify(gas)).toBeLessThanOrEqual(0.8)
})
