import { test } from 'vitest'
import { killStory } from '../harness/kill-story.ts'

test('killed during eight relays, the service confirms each exactly once', { timeout: 300_000 }, () =>
  killStory(8, 1),
)
