import { expect, test } from 'vitest'
import { findBlockSeconds, foreseeTimestamp } from '../../../../relayer/chain/nodes/pace.ts'

const headsAt = (...timestamps: number[]) =>
  timestamps.map((timestamp, index) => ({ number: BigInt(100 + index), timestamp: BigInt(timestamp) }))

test.each<[string, number[], bigint]>([
  ['every twelve seconds', [0, 12, 24, 36], 12n],
  ['every twelve seconds with an empty slot', [0, 12, 36, 48], 12n],
  ['every two seconds', [10, 12, 14, 16, 18], 2n],
  ['whenever there is something to put into them', [0, 5, 42, 56], 1n],
  ['several in a second', [7, 7, 7, 7, 8], 1n],
  ['too few to tell', [0, 12, 24], 1n],
])('blocks that come %s', (_, timestamps, seconds) => {
  expect(findBlockSeconds(headsAt(...timestamps))).toBe(seconds)
})

test('gaps between observed heads are not used', () => {
  const heads = headsAt(0, 12, 24, 36).map(({ number, timestamp }) => ({ number: number * 2n, timestamp }))
  expect(findBlockSeconds(heads)).toBe(1n)
})

test('the next block is expected in the first slot that has not passed', () => {
  const head = { number: 1n, timestamp: 120n }
  expect(foreseeTimestamp(head, 12n, 121n)).toBe(132n)
  expect(foreseeTimestamp(head, 12n, 131n)).toBe(132n)
  expect(foreseeTimestamp(head, 12n, 132n)).toBe(144n)
  expect(foreseeTimestamp(head, 12n, 90n)).toBe(132n)
  expect(foreseeTimestamp(head, 1n, 500n)).toBe(501n)
})
