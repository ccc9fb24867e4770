import { expect, test } from 'vitest'
import { ALL_FAULTS } from './start-lying-door.ts'
import { faultStory } from './fault-story.ts'

test('an indexer that is killed again and again among faulty nodes loses and repeats nothing', async () => {
  const { faults, kills } = await faultStory({ rounds: 3, instances: 2, seed: 3 })
  expect(kills).toBe(3)
  for (const kind of ALL_FAULTS) expect(faults.get(kind) ?? 0, kind).toBeGreaterThan(0)
})
