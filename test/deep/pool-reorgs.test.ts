import { expect, test } from 'vitest'
import { poolReorgStory } from './pool-reorg-story.ts'

test('after sixty reorgs of 1 to 30 blocks over deposits, withdrawals and ragequits the database is that of a fresh index', async () => {
  const left = await poolReorgStory({ rounds: 60, ragequits: 6 })
  for (const kind of ['deposit', 'withdrawal', 'relay', 'ragequit', 'leaf'])
    expect(left[kind], kind).toBeGreaterThan(0)
})
