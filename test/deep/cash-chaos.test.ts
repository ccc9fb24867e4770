import { expect, it } from 'vitest'
import { cashStory } from '../relayer/transact/cash-orders/cash-story.ts'
import { startCashWorld } from '../relayer/transact/cash-orders/start-cash-world.ts'

it('after each of 300 random steps the order in question has the books of the escrow', async () => {
  await using world = await startCashWorld()
  const counts = await cashStory(world, 300)
  // Steps that were all refused would show nothing.
  expect(Object.entries(counts).filter(([, times]) => times === 0)).toEqual([])
})
