import { expect, it } from 'vitest'
import { cashStory } from './cash-story.ts'

it('after each of 25 random steps the order that it was about has the books of the escrow', async () => {
  const counts = await cashStory(25)
  // The others were refused.
  expect(Object.values(counts).reduce((sum, times) => sum + times, 0)).toBeGreaterThan(4)
})
