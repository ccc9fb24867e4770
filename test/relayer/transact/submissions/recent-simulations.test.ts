import { expect, it } from 'vitest'
import {
  type Executable,
  RecentSimulations,
} from '../../../../relayer/transact/submissions/simulate-batch.ts'

const delegation = { contractAddress: `0x${'1'.repeat(40)}`, authorizationNonce: 0 } as const
const intent: Executable = {
  eoa: `0x${'2'.repeat(40)}`,
  intentNonce: 7n,
  encoded: '0xabcd',
  delegation,
}

const origin = `0x${'3'.repeat(40)}` as const

it('a recent simulation of the same quote is returned once, with its sender', () => {
  const rehearsals = new RecentSimulations(() => 0)
  rehearsals.note('a', [intent], origin)
  expect(rehearsals.take('b', [intent])).toBeNull()
  expect(rehearsals.take('a', [intent])).toBe(origin)
  expect(rehearsals.take('a', [intent])).toBeNull()
})

it('a different quote, or the same again, has no recent simulation', () => {
  const others: Executable[][] = [
    [],
    [intent, intent],
    [{ ...intent, encoded: '0xabce' }],
    [{ ...intent, delegation: null }],
    [{ ...intent, delegation: { ...delegation, authorizationNonce: 1 } }],
  ]
  for (const other of others) {
    const rehearsals = new RecentSimulations(() => 0)
    rehearsals.note('a', [intent], origin)
    expect(rehearsals.take('a', other)).toBeNull()
    expect(rehearsals.take('a', [intent])).toBeNull()
  }
})

it('recent simulations are forgotten after a moment, the oldest first when there are many', () => {
  let now = 0
  const rehearsals = new RecentSimulations(() => now)
  for (let quote = 0; quote <= 100; quote += 1) rehearsals.note(String(quote), [intent], origin)
  expect(rehearsals.take('0', [intent])).toBeNull()
  now = 99
  expect(rehearsals.take('1', [intent])).toBe(origin)
  now = 100
  expect(rehearsals.take('2', [intent])).toBeNull()
})
