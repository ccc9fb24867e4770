import { test } from 'vitest'
import { relayThroughKills } from '../harness/kill-story.ts'

test('killed during eight relays, the service confirms each exactly once', { timeout: 300_000 }, () =>
  relayThroughKills(8, 1),
)
