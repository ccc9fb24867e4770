import { describe, expect, test } from 'vitest'
import { badDayStory } from '../e2e/bad-day/bad-day-story.ts'
import { startPairApart } from '../e2e/bad-day/start-pair.ts'
import { findRedisServer } from '../harness/start-redis.ts'

const SECONDS = Number(process.env['BAD_DAY_SECONDS'] ?? 600)
const program = findRedisServer('a bad day')

describe.runIf(program)('two instances and two chains', () => {
  test('minutes of lying nodes, hundreds of attackers and kills leave the books of honest accounts as the chains have them', async () => {
    const figures = await badDayStory({
      redis: program!,
      start: startPairApart,
      calmMs: SECONDS * 100,
      attackMs: SECONDS * 900,
      busyMs: SECONDS * 150,
      honest: 4,
      crowd: { thieves: 4, relays: 6, accounts: 200, roundMs: 5_000, readers: 12 },
      kills: 3,
      moodMs: 2_000,
    })
    process.stdout.write(`bad day: ${JSON.stringify(figures, null, 2)}\n`)
    expect(figures['attackers']).toMatchObject({ 'free accounts': expect.any(Number) })
  })
})
