import { expect, test } from 'vitest'
import { faultStory } from '../relayer/chain/indexer/fault-story.ts'
import { ALL_FAULTS } from '../relayer/chain/indexer/start-lying-door.ts'

test.each([11, 23, 47])(
  'faulty nodes, reorgs and thirty kills (seed %i) leave the same facts as an undisturbed index',
  async (seed) => {
    const { faults, kills } = await faultStory({ rounds: 30, instances: 3, seed })
    expect(kills).toBe(30)
    for (const kind of ALL_FAULTS) expect(faults.get(kind) ?? 0, kind).toBeGreaterThan(10)
  },
)
