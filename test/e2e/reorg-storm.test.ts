import { test } from 'vitest'
import { reorgStory } from '../deep/reorg-story.ts'

test(
  'eight relays on a chain that keeps losing blocks: each confirmed exactly once',
  { timeout: 300_000 },
  async () => {
    await reorgStory(8)
  },
)
