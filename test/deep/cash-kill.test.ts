import { expect, it } from 'vitest'
import { KILLS, killCashOuts, raceCashOuts } from '../relayer/transact/kinds/offramp/kill-cash-outs.ts'

it('a service that is killed at any step makes each cash-out and each withdrawal exactly once', async () => {
  expect(KILLS).toHaveLength(3)
  await killCashOuts([...KILLS])
})

it('of two instances that are asked for the same at once, one deposits and one withdraws', async () => {
  await raceCashOuts(4)
})
