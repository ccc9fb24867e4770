import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendAsCrowd } from './crowd.ts'
import { startSubmissionWorld, type SubmissionWorld } from './submission-world.ts'

let world: SubmissionWorld
beforeAll(async () => {
  world = await startSubmissionWorld()
})
afterAll(() => world.stop())

it('twenty accounts submit at once to two instances: each is sent once, together, and for less gas', async () => {
  const services = [await world.start(), await world.start()]
  const gas = await sendAsCrowd(world, services, 20)
  expect(gas.transactions).toBeLessThan(20)
  expect(gas.ratio, JSON.stringify(gas)).toBeLessThanOrEqual(0.8)
})
