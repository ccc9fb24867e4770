import { test } from 'vitest'
import { killStory } from '../harness/kill-story.ts'

test('sixty relays are each confirmed exactly once although the service is killed ten times', () =>
  killStory(60, 10))
