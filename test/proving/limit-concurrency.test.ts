import { expect, test, vi } from 'vitest'
import { limitConcurrency } from '../../proving/limit-concurrency.ts'

test('tasks above the limit wait for their turn, also when one before them fails', async () => {
  const limit = limitConcurrency(2)
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<number>())
  const started: number[] = []
  const runs = gates.map(({ promise }, index) =>
    limit.run(() => {
      started.push(index)
      return promise
    }),
  )
  await vi.waitFor(() => expect(started).toEqual([0, 1]))
  expect([limit.running, limit.waiting]).toEqual([2, 2])
  gates[1]?.reject(new Error('broken'))
  await expect(runs[1]).rejects.toThrow('broken')
  await vi.waitFor(() => expect(started).toEqual([0, 1, 2]))
  for (const [index, gate] of gates.entries()) gate.resolve(index)
  expect(await Promise.all([runs[0], runs[2], runs[3]])).toEqual([0, 2, 3])
  await vi.waitFor(() => expect([limit.running, limit.waiting]).toEqual([0, 0]))
})
