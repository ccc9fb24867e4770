import { expect, test } from 'vitest'
import { reorgStory } from './reorg-story.ts'

test('sixty relays are each confirmed exactly once on a chain that keeps losing blocks, and no request gets a 500', async () => {
  expect(await reorgStory(60)).toEqual({ faults: 0 })
})
