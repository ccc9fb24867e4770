import { test } from 'vitest'
import { relayThroughKills } from '../harness/kill-story.ts'

test('killed ten times during sixty relays, the service confirms each exactly once', () =>
  relayThroughKills(60, 10))
