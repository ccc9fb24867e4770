import { expect, test } from 'vitest'
import { paceList } from '../../../schema/graph/pace-list.ts'

test('a long list keeps its order and yields between its slices', async () => {
  const list = Array.from({ length: 1_000 }, (_, at) => ({ at }))
  let rounds = 0
  let isOver = false
  const count = () => {
    rounds += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const paced = paceList(list) as unknown[]
  expect(paced).toHaveLength(1_000)
  expect(await Promise.all(paced)).toEqual(list)
  isOver = true
  expect(rounds).toBeGreaterThanOrEqual(1_000 / 25 - 1)
})

test('a short list, or another value, is returned as it is', () => {
  const list = Array.from({ length: 25 }, () => ({}))
  expect(paceList(list)).toBe(list)
  expect(paceList(null)).toBeNull()
  expect(paceList(undefined)).toBeUndefined()
})
