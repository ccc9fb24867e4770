import { test } from 'vitest'
import { killStory } from '../harness/kill-story.ts'

test('killed ten times during sixty relays, the service confirms each exactly once', () => killStory(60, 10))
