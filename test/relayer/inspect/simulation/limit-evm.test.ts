import { expect, test } from 'vitest'
import { createEvmBudget } from '../../../../relayer/inspect/simulation/limit-evm.ts'

test('an account’s calls get six seconds of the EVM a minute, and none of more than 1,000,000 gas', async () => {
  let now = 0
  const budget = createEvmBudget(() => now)
  const take = (account: string, gas: bigint) => budget.run(account, gas, async () => true)
  const takeMany = async (account: string) => {
    const taken = []
    for (let count = 0; count < 60; count += 1) taken.push(await take(account, 1_000_000n))
    return taken.filter(Boolean).length
  }
  expect(await take('one', 1_000_001n)).toBeNull()
  expect(await takeMany('one')).toBe(46)
  expect(await take('other', 50_000n)).toBe(true)
  now = 60_000
  expect(await take('one', 1_000_000n)).toBe(true)
  // Whoever opens many accounts gets half a minute of it.
  const all = []
  for (let account = 0; account < 10; account += 1) all.push(await takeMany(`account ${account}`))
  expect(all.reduce((sum, one) => sum + one, 0)).toBe(229)
})

test('no more than eight calls are in the EVM at once', async () => {
  const budget = createEvmBudget()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const running = Array.from({ length: 8 }, (_, index) => budget.run(`${index}`, 1n, () => promise))
  expect(await budget.run('ninth', 1n, () => promise)).toBeNull()
  resolve(true)
  expect(await Promise.all(running)).toEqual(Array(8).fill(true))
  expect(await budget.run('ninth', 1n, () => promise)).toBe(true)
})
