import { expect, test } from 'vitest'
import { runFaultStory } from '../relayer/indexer/fault-story.ts'
import { ALL_FAULTS } from '../relayer/indexer/start-lying-door.ts'

test('an hour of bad nodes and kills in minutes: the facts are those of an index made in peace', async () => {
  for (const seed of [11, 23, 47]) {
    const { faults, kills } = await runFaultStory({ rounds: 40, instances: 3, seed })
    expect(kills).toBe(40)
    for (const kind of ALL_FAULTS) expect(faults.get(kind) ?? 0, kind).toBeGreaterThan(10)
  }
})
