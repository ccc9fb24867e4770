import { test } from 'vitest'
import { relayThroughReorgs } from '../deep/relay-through-reorgs.ts'

test(
  'eight relays on a chain that keeps losing blocks: each confirmed exactly once',
  { timeout: 300_000 },
  async () => {
    await relayThroughReorgs(8)
  },
)
