import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import { killBackfill, pollUntil } from '../relayer/chain/indexer/kill-backfill.ts'

test('a process killed twenty times at random while it reads the past of 60,000 addresses ends with the same rows', async () => {
  await killBackfill({
    others: 20_000,
    emptyBlocks: 600,
    kills: 20,
    async untilKill(_, readPass) {
      await pollUntil(async () => {
        const { waiting, begun } = await readPass()
        return waiting > 0n || begun > 0n
      })
      await sleep(Math.random() * 2_500)
    },
  })
})
