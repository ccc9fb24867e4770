import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEvmBudget } from '../../../../relayer/inspect/simulation/limit-evm.ts'
import { forClient } from '../../../../relayer/shares/client.ts'

const FREE = 100

function open() {
  const clock = { now: 0 }
  const budget = createEvmBudget(() => clock.now)
  const run = (network: string, account: string, gas = 1_000_000n, cpuMs = 0) =>
    forClient({ network, account }, () =>
      budget.run(
        gas,
        async () => 'ran',
        () => cpuMs,
      ),
    )
  const runAll = async (network: string, account: string, cpuMs = 0) => {
    let count = 0
    while ((await run(network, account, 1_000_000n, cpuMs)) === 'ran') count += 1
    return count
  }
  return { clock, run, runAll }
}

test('no call of more than 1,000,000 gas runs, and an account that is alone runs many of that size', async () => {
  const { clock, run, runAll } = open()
  expect(await run('home', 'one', 1_000_001n)).toBe('too-much')
  // 0.13 s each, of four ninths of 10 s.
  expect(await runAll('home', 'one')).toBe(34)
  expect(await run('home', 'one')).toBe('no-share')
  clock.now += 60_000
  expect(await runAll('home', 'one')).toBeGreaterThan(25)
})

test.each([
  ['one network', () => 'flood'],
  ['as many networks', (account: number) => `flood ${account}`],
])('the first calls of an account run while a hundred accounts of %s loop', async (_, networkOf) => {
  const { clock, run, runAll } = open()
  for (let second = 0; second < 120; second += 1) {
    clock.now += 1_000
    // BLAKE2, whose rounds cost one gas each, takes four times as long as its gas suggests.
    for (let account = 0; account < FREE; account += 1)
      await runAll(networkOf(account), `free ${account}`, 488)
    if (second % 4 === 0) expect(await run(`home ${second}`, 'honest')).toBe('ran')
  }
})

test('the first calls of accounts behind one address run while one of them loops', async () => {
  const { clock, run, runAll } = open()
  for (let second = 0; second < 120; second += 1) {
    clock.now += 1_000
    await runAll('campus', 'looping')
    if (second % 10 === 0) expect(await run('campus', `honest ${second}`, 300_000n)).toBe('ran')
  }
})

test('the EVM runs at most eight calls at once, and waiting calls take turns by network', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const budget = createEvmBudget()
  const begun: string[] = []
  const run = (network: string, account: string) =>
    forClient({ network, account }, () =>
      budget.run(1n, () => {
        begun.push(network)
        return promise
      }),
    )
  const all = Array.from({ length: 20 }, (_, account) => run('flood', `${account}`))
  all.push(run('home', 'honest'))
  await setImmediate()
  expect(begun).toEqual(Array(8).fill('flood'))
  resolve('ran')
  expect(await Promise.all(all)).toEqual(Array(21).fill('ran'))
  expect(begun[8]).toBe('home')
})
