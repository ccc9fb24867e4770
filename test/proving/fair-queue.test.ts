import { expect, test } from 'vitest'
import { FairQueue } from '../../proving/fair-queue.ts'

test('clients are served in turn, each in its own order', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item)
  expect(queue.size).toBe(7)
  expect(queue.countOf('a')).toBe(4)
  expect(queue.take(4)).toEqual(['a1', 'b1', 'c1', 'a2'])
  queue.add('b', 'b2')
  expect(queue.take(10)).toEqual(['c2', 'a3', 'b2', 'a4'])
  expect(queue.size).toBe(0)
  expect(queue.take(1)).toEqual([])
  expect(queue.countOf('a')).toBe(0)
})
