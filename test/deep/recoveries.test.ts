import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openRecoveries } from '../relayer/transact/kinds/pool-recover/recovery-world.ts'
import { killAt, STAGES } from '../relayer/transact/submissions/kill-submissions.ts'
import {
  startSubmissionWorld,
  type SubmissionWorld,
} from '../relayer/transact/submissions/start-submission-world.ts'

let world: SubmissionWorld
let recoveries: Awaited<ReturnType<typeof openRecoveries>>
beforeAll(async () => {
  world = await startSubmissionWorld()
  recoveries = await openRecoveries(world)
})
afterEach(async () => {
  await world.stopServices()
  await world.blocks.stopMining()
  await world.blocks.release()
})
afterAll(async () => {
  await recoveries?.close()
  await world?.stop()
})

it.each(STAGES.flatMap((stage) => [0, 15].map((extraMs) => [stage, extraMs] as const)))(
  'after a kill at the stage “%s” of a recovery, %i ms later, every deposit is taken back once',
  async (stage, extraMs) => {
    const quotes = []
    for (let count = 0; count < 3; count += 1)
      quotes.push(await recoveries.recover(await recoveries.openDeposit()))
    world.blocks.keepMining()
    await killAt(world, quotes, stage, { extraMs })
    const service = await world.start({ chain: { confirmations: 1 } })
    await Promise.all(quotes.map(({ accountId, submission }) => service.submit(accountId, submission)))
    const ended = await world.settled()
    for (const { quoteId } of quotes) expect(ended.find(({ id }) => id === quoteId)!.status).toBe('confirmed')
    await recoveries.expectTrueRecoveries()
  },
)
