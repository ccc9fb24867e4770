import { test } from 'vitest'
import { reorgStory } from '../deep/reorg-story.ts'

test(
  'eight relays are each confirmed exactly once on a chain that keeps losing blocks',
  { timeout: 300_000 },
  async () => {
    await reorgStory(8)
  },
)
