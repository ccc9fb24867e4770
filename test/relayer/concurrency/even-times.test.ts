import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { paceReads } from '../../../relayer/concurrency/even-times.ts'

test('requests during a read share the next read', async () => {
  let running = 0
  let begun = 0
  const read = paceReads(async () => {
    begun += 1
    running += 1
    expect(running).toBe(1)
    await sleep(20)
    running -= 1
  }, 0)
  const first = read()
  await expect.poll(() => begun).toBe(1)
  const others = Array.from({ length: 50 }, read)
  await first
  expect(begun).toBe(1)
  await Promise.all(others)
  expect(begun).toBe(2)
})

test('a failed read fails its waiters only', async () => {
  let fails = true
  const read = paceReads(async () => {
    if (fails) throw new Error('no answer')
  }, 0)
  const outcomes = await Promise.allSettled([read(), read()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  await expect(read()).resolves.toBeUndefined()
})
