import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MovingTransaction } from '../../../../relayer/account/provenance/movements.ts'
import {
  A,
  addressOf,
  B,
  explain,
  isOwn,
  move,
  ofOrder,
  relay,
  T,
  traceMovements,
  transaction,
  U,
} from './histories.ts'

const names = ['A', 'B', 'C', 'D', 'x', 'y', 'entrypoint']
const anyMovement = fc.record({
  from: fc.constantFrom(...names),
  to: fc.constantFrom(...names),
  amount: fc.integer({ min: 0, max: 20 }),
  token: fc.constantFrom(T, U),
  isUnsolicited: fc.boolean(),
})
const anyHistory = fc
  .array(
    fc.record({
      movements: fc.array(anyMovement, { minLength: 1, maxLength: 3 }),
      isRelay: fc.boolean(),
      quote: fc.constantFrom(null, null, 'q', 'r'),
    }),
    { maxLength: 25 },
  )
  .map((steps) =>
    steps.map(({ movements, isRelay, quote }, id) =>
      transaction(
        id,
        movements.map(({ from, to, amount, ...more }) => move(from, to, amount, more)),
        { ...(isRelay && relay), ...(quote && ofOrder(quote)), action: quote && 'SWAP' },
      ),
    ),
  )
const own = ['A', 'B', 'C', 'D'].map(addressOf)
const all = (history: readonly MovingTransaction[]) =>
  own.flatMap((address) => [T, U].map((token) => explain(history, address, { token })))

/** Properties that hold for every history of an account, each checked on the given number of random ones. */
export const describeRandomHistories = (runs: number) =>
  describe('any history', () => {
    it('parts add up to the arrivals less the departures, as far as more never left than had come', () => {
      fc.assert(
        fc.property(anyHistory, (history) => {
          const trace = traceMovements(history, isOwn)
          for (const address of own)
            for (const token of [T, U]) {
              let held = 0n
              for (const { movements } of history) {
                for (const one of movements) {
                  if (one.token !== token) continue
                  if (one.to === address) held += one.amount
                  if (one.from === address) held -= one.amount
                }
                if (held < 0n) held = 0n
              }
              const sum = trace.lots(1, address, token).reduce((total, { amount }) => total + amount, 0n)
              expect(sum).toBe(held)
            }
        }),
        { numRuns: runs },
      )
    })

    it('transactions among unrelated addresses change nothing', () => {
      fc.assert(
        fc.property(anyHistory, anyHistory, (history, foreign) => {
          const names = new Map(
            [A, B, ...['C', 'D'].map(addressOf)].map((one, place) => [one, addressOf('EFGH'[place]!)]),
          )
          const renamed = foreign.map((one) => ({
            ...one,
            id: `2:${one.id}`,
            departs: one.departs.map((order) => `foreign ${order}`),
            delivers: one.delivers.map(({ orderId, to }) => ({
              orderId: `foreign ${orderId}`,
              to: names.get(to) ?? to,
            })),
            movements: one.movements.map((movement) => ({
              ...movement,
              from: names.get(movement.from) ?? movement.from,
              to: names.get(movement.to) ?? movement.to,
            })),
          }))
          const mixed = history.flatMap((one, place) => [one, ...renamed.slice(place, place + 1)])
          expect(all(mixed)).toEqual(all(history))
        }),
        { numRuns: runs },
      )
    })

    it('an address that was paid out of a pool is in a group of its own', () => {
      fc.assert(
        fc.property(anyHistory, (history) => {
          for (const origin of all(history))
            if (
              [...origin.sources, ...origin.association.sources].some((source) =>
                source.startsWith('private:'),
              )
            )
              expect(origin.mixGroup).toMatch(/^private:/)
        }),
        { numRuns: runs },
      )
    })
  })
