import { expect, test } from 'vitest'
import { reorgStory } from './reorg-story.ts'

test('sixty relays on a chain that keeps losing blocks: each confirmed exactly once, no answer is 500', async () => {
  expect(await reorgStory(60)).toEqual({ faults: 0 })
})
