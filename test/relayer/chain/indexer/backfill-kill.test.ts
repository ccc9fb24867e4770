import { test } from 'vitest'
import { killBackfill, pollUntil } from './kill-backfill.ts'

test('a pass over the past that is killed when it has begun, and again between two steps, ends with the same rows', async () => {
  let before: bigint | null = null
  await killBackfill({
    others: 400,
    emptyBlocks: 120,
    kills: 2,
    async untilKill(_, readPass) {
      await pollUntil(async () => {
        const { block } = await readPass()
        const hasMoved = block !== null && (before === null || block > before)
        if (hasMoved) before = block
        return hasMoved
      })
    },
  })
})
