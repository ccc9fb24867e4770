import { test } from 'vitest'
import { killStory } from '../harness/kill-story.ts'

test(
  'eight relays are each confirmed exactly once although the service is killed',
  { timeout: 300_000 },
  () => killStory(8, 1),
)
