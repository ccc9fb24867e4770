import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createQuestionTurns } from '../../../../relayer/chain/nodes/question-turns.ts'
import { forClient, type Client } from '../../../../relayer/shares/client.ts'

afterEach(() => void vi.useRealTimers())

const SPACING_MS = 40
const clientOf = (account: string | null): Client => ({ network: '203.0.113.7', account })

/** Asks, each for its account, all at once. @returns When each began and ended. */
async function askAll(asked: readonly { account: string | null; address: string }[], lastsMs = 5) {
  const turns = createQuestionTurns(SPACING_MS)
  return Promise.all(
    asked.map(({ account, address }) =>
      forClient(clientOf(account), () =>
        turns.about(address, async () => {
          const from = performance.now()
          await sleep(lastsMs)
          return { address, from, to: performance.now() }
        }),
      ),
    ),
  )
}

test('questions about two addresses of one account have a pause between them', async () => {
  const asked = ['one', 'two', 'three'].map((address) => ({ account: 'alice', address }))
  const times = (await askAll(asked)).toSorted((one, other) => one.from - other.from)
  expect(times.map(({ address }) => address).toSorted()).toEqual(['one', 'three', 'two'])
  for (const [place, { from }] of times.slice(1).entries())
    expect(from - times[place]!.to).toBeGreaterThanOrEqual(SPACING_MS - 2)
})

test('questions about one address, of different accounts, and of the service itself do not wait for each other', async () => {
  const asked = [
    { account: 'alice', address: 'one' },
    { account: 'alice', address: 'one' },
    { account: 'bob', address: 'two' },
    { account: null, address: 'three' },
    { account: null, address: 'four' },
  ]
  const times = await askAll(asked, 500)
  const lastBegan = Math.max(...times.map(({ from }) => from))
  expect(times.every(({ to }) => to > lastBegan)).toBe(true)
})

test('a question that fails ends its turn', async () => {
  const turns = createQuestionTurns(SPACING_MS)
  await forClient(clientOf('alice'), async () => {
    const failed = turns.about('one', () => Promise.reject(new Error('no node answers')))
    await expect(failed).rejects.toThrow('no node answers')
    expect(await turns.about('two', () => Promise.resolve('asked'))).toBe('asked')
  })
})

test('the pauses between questions about sixteen addresses of one quote last three seconds together at most', async () => {
  vi.useFakeTimers()
  const turns = createQuestionTurns(500)
  const begun = await forClient(clientOf('alice'), async () => {
    const asking = Promise.all(
      Array.from({ length: 16 }, (_, place) =>
        turns.about(String(place), () => Promise.resolve(performance.now()), 16),
      ),
    )
    await vi.runAllTimersAsync()
    return asking
  })
  const times = begun.toSorted((one, other) => one - other)
  expect(times.at(-1)! - times[0]!).toBeLessThanOrEqual(3_000)
  for (const [place, time] of times.slice(1).entries())
    expect(time - times[place]!).toBeGreaterThanOrEqual(99)
})

test('a question to a slow node waits ten seconds at most', async () => {
  vi.useFakeTimers()
  const turns = createQuestionTurns(500)
  await forClient(clientOf('alice'), async () => {
    void turns.about('one', () => new Promise(() => {}))
    const second = turns.about('two', () => Promise.resolve(performance.now()))
    const from = performance.now()
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await second) - from).toBe(10_000)
  })
})
