import { expect, it } from 'vitest'
import { spreadIntents } from '../../../../relayer/transact/submissions/spread-intents.ts'

const MINUTE = 60_000

it('the intents of a quote go out at random times in a random order, one of them at once', () => {
  const gaps: number[] = []
  const first = [0, 0, 0, 0]
  for (let round = 0; round < 4_000; round += 1) {
    const times = spreadIntents(4, { meanMs: 10 * MINUTE, windowMs: 24 * 60 * MINUTE })
    const sorted = times.toSorted((one, other) => one - other)
    expect(sorted[0]).toBe(0)
    first[times.indexOf(0)]! += 1
    for (let place = 1; place < 4; place += 1) gaps.push(sorted[place]! - sorted[place - 1]!)
  }
  for (const count of first) expect(Math.abs(count - 1_000)).toBeLessThan(200)
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  expect(Math.abs(mean - 10 * MINUTE)).toBeLessThan(MINUTE)
  // Of an exponential distribution, 1 - 1/e lie below the mean.
  const below = gaps.filter((gap) => gap < mean).length / gaps.length
  expect(Math.abs(below - (1 - Math.exp(-1)))).toBeLessThan(0.05)
})

it('all go out within four fifths of the window, and a quote of one intent goes at once', () => {
  for (let round = 0; round < 500; round += 1) {
    const times = spreadIntents(16, { meanMs: 10 * MINUTE, windowMs: 5 * MINUTE })
    expect(Math.max(...times)).toBeLessThanOrEqual(4 * MINUTE + 1)
    expect(new Set(times).size).toBe(16)
  }
  expect(spreadIntents(1, { meanMs: MINUTE, windowMs: MINUTE })).toEqual([0])
  expect(spreadIntents(3, { meanMs: MINUTE, windowMs: -1 })).toEqual([0, 0, 0])
})
