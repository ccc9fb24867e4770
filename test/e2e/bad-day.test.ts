import { describe, expect, test } from 'vitest'
import { findRedisServer } from '../harness/start-redis.ts'
import { badDayStory } from './bad-day/bad-day-story.ts'
import { startPairHere } from './bad-day/start-pair.ts'

/** On a machine that is many times overloaded. */
const PATIENCE_MS = 1_200_000
const program = findRedisServer('a bad day')

describe.runIf(program)('two instances and two chains', () => {
  test(
    'nodes that lie and attackers leave the books of honest accounts as the chains have them',
    async () => {
      const { attackers } = await badDayStory({
        redis: program!,
        start: startPairHere,
        calmMs: 1_000,
        attackMs: 3_000,
        busyMs: 0,
        honest: 2,
        crowd: { thieves: 1, relays: 2, accounts: 2, roundMs: 1_000, readers: 2 },
        kills: 0,
        moodMs: 500,
      })
      expect(attackers).toMatchObject({
        'free accounts': expect.any(Number),
        'slow readers': expect.any(Number),
      })
    },
    PATIENCE_MS,
  )
})
