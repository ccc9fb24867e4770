import { expect, test } from 'vitest'
import { poolReorgStory } from '../../../deep/pool-reorg-story.ts'

test('after reorgs over deposits, withdrawals and ragequits the database is that of a fresh index', async () => {
  const left = await poolReorgStory({ rounds: 3, ragequits: 2 })
  for (const kind of ['deposit', 'withdrawal', 'relay', 'ragequit', 'leaf'])
    expect(left[kind], kind).toBeGreaterThan(0)
})
