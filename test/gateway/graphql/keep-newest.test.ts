import { expect, it } from 'vitest'
import { keepNewest } from '../../../gateway/graphql/keep-newest.ts'

it('the store drops the least recently used entry', () => {
  const kept = keepNewest<number>(2)
  kept.set('a', 1)
  kept.set('b', 2)
  expect(kept.get('a')).toBe(1)
  kept.set('c', 3)
  expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual([1, undefined, 3])
})

it('the store limits the characters it keeps as well as the entries', () => {
  const kept = keepNewest<number>(100, 10)
  const [long, other] = ['x'.repeat(6), 'y'.repeat(6)]
  kept.set(long, 1)
  kept.set(long, 2)
  kept.set('abcd', 3)
  expect([kept.get(long), kept.get('abcd')]).toEqual([2, 3])
  kept.set(other, 4)
  expect([kept.get(long), kept.get('abcd'), kept.get(other)]).toEqual([undefined, 3, 4])
  kept.set('z'.repeat(11), 5)
  expect(kept.get('z'.repeat(11))).toBeUndefined()
  kept.set('abcd', 6)
  expect(kept.get('abcd')).toBe(6)
})
