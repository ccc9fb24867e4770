import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pickSigner } from '../../../../relayer/chain/broadcast/assign-queued.ts'
import { startBroadcastWorld, type World } from './start-broadcast-world.ts'

let world: World
beforeEach(async () => {
  world = await startBroadcastWorld({ signers: 2 })
})
afterEach(() => world.stop())

test('whatever mixture nodes refuse, nonces have no gap and every other transaction is mined once', async () => {
  const engine = await world.startEngine()
  let queued = 0
  let valid = 0
  // Each round queues transactions one by one or together; one with too little gas is refused after it got its nonce.
  const round = fc.array(fc.record({ isValid: fc.boolean(), count: fc.integer({ min: 1, max: 4 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(round, async (groups) => {
      for (const { isValid, count } of groups) {
        await world.enqueue(engine, count, { gasLimit: isValid ? 50_000n : 20_000n }, queued)
        queued += count
        if (isValid) valid += count
      }
      const booked = await world.settled(queued)
      expect(booked.filter(({ status }) => status === 'confirmed')).toHaveLength(valid)
      expect(booked).toHaveLength(queued)
      const lines = await Promise.all([0, 1].map(world.minedFrom))
      for (const line of lines)
        expect(line.map(({ nonce }) => nonce)).toEqual(line.map((_, position) => position))
      expect(lines.flat().filter(({ input }) => input !== '0x')).toHaveLength(valid)
    }),
    { numRuns: 8, endOnFailure: true },
  )
})

test('the signer with the fewest unmined transactions sends next, if it has room and money', () => {
  const a = { pending: 2, budget: 50n }
  const b = { pending: 1, budget: 10n }
  const c = { pending: 1, budget: 30n }
  expect(pickSigner([a, b, c], 5n, 3)).toBe(c)
  expect(pickSigner([a, b, c], 40n, 3)).toBe(a)
  expect(pickSigner([a, b, c], 40n, 2)).toBeUndefined()
  expect(pickSigner([a, b, c], 60n, 3)).toBeUndefined()
})
