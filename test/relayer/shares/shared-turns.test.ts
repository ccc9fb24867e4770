import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forClient } from '../../../relayer/shares/client.ts'
import { createSharedTurns } from '../../../relayer/shares/shared-turns.ts'

const open = (atOnce: number, mostWaiting: number, more: { mostOfAccount?: number } = {}) => {
  const turns = createSharedTurns({ atOnce, mostWaiting, refuse: () => new Error('busy'), ...more })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (network: string, account: string) =>
    forClient({ network, account }, () =>
      turns.run(() => {
        begun.push(`${network} ${account}`)
        return new Promise<string>((resolve) => ends.push(() => resolve('done')))
      }),
    ).catch((error: unknown) => (error as Error).message)
  const endOne = async () => {
    ends.shift()?.()
    await setImmediate()
  }
  return { ask, begun, ends, endOne }
}

test('the next turn goes to the network, and then to the account, with least running', async () => {
  const { ask, begun, endOne } = open(2, 100)
  for (let count = 0; count < 10; count += 1) void ask('flood', `${count % 5}`)
  void ask('home', 'honest')
  void ask('flood', 'late')
  await setImmediate()
  expect(begun).toEqual(['flood 0', 'flood 1'])
  await endOne()
  expect(begun.at(-1)).toBe('home honest')
  await endOne()
  expect(begun.at(-1)).toBe('flood 2')
})

test('an account that has its most leaves free turns to others, and goes on when one of its own ends', async () => {
  const { ask, begun, ends, endOne } = open(4, 100, { mostOfAccount: 2 })
  const flood = Array.from({ length: 5 }, () => ask('flood', 'one'))
  await setImmediate()
  expect(begun).toEqual(['flood one', 'flood one'])
  const others = [ask('flood', 'other'), ask('home', 'honest'), ask('away', 'late')]
  await setImmediate()
  expect(begun.slice(2)).toEqual(['flood other', 'home honest'])
  await endOne()
  expect(begun.slice(4)).toEqual(['away late'])
  await endOne()
  expect(begun.slice(5)).toEqual(['flood one'])
  // The others end: their turns do not go to the client that has the most running.
  for (const end of ends.splice(0, 3)) end()
  await setImmediate()
  expect(begun.slice(6)).toEqual(['flood one'])
  while (ends.length > 0) await endOne()
  expect(await Promise.all([...flood, ...others])).toEqual(Array<string>(8).fill('done'))
})

test('above the limit of waiting work, the newest of the client with most waiting is refused', async () => {
  const { ask, begun, ends, endOne } = open(1, 4)
  const flood = Array.from({ length: 8 }, () => ask('flood', 'one'))
  const honest = ask('home', 'honest')
  expect((await Promise.all(flood.slice(5))).every((told) => told === 'busy')).toBe(true)
  expect(await flood[4]).toBe('busy')
  await endOne()
  expect(begun).toEqual(['flood one', 'home honest'])
  while (ends.length > 0) await endOne()
  expect(await honest).toBe('done')
  expect(await Promise.all(flood)).toEqual(['done', 'done', 'done', 'done', ...Array<string>(4).fill('busy')])
})

test('a turn is given back by work that fails', async () => {
  const turns = createSharedTurns({ atOnce: 1, mostWaiting: 1, refuse: () => new Error('busy') })
  const failing = turns.run(() => Promise.reject(new Error('failed')))
  const next = turns.run(async () => 'done')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
})
