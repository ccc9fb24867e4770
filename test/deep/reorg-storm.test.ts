import { expect, test } from 'vitest'
import { relayThroughReorgs } from './relay-through-reorgs.ts'

test('sixty relays on a chain that keeps losing blocks: each confirmed exactly once, no answer is 500', async () => {
  expect(await relayThroughReorgs(60)).toEqual({ faults: 0 })
})
