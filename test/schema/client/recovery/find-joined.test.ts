import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { findJoined } from '../../../../schema/client/recovery/find-joined.ts'
import type { Move } from '../../../../schema/client/recovery/plan-moves.ts'

const at = (digit: string): Address => `0x${digit.repeat(40)}`
const move = (from: Address, to: Address, kind: Move['kind'] = 'coin'): Move => ({
  chainId: 1,
  from: { nonce: 0, address: from },
  kind,
  holding: null,
  to,
  amount: 1n,
  gas: 1n,
  fee: 1n,
})

it('addresses are joined by a common place and by lent fees, and else not', () => {
  expect(findJoined({ moves: [move(at('a'), at('1')), move(at('b'), at('2'))] })).toEqual([])
  const lent = [move(at('a'), at('c'), 'fees'), move(at('c'), at('3'), 'token')]
  expect(findJoined({ moves: [move(at('a'), at('1')), move(at('b'), at('2')), ...lent] })).toEqual([
    [at('a'), at('c')],
  ])
  const both = [
    move(at('a'), at('1')),
    move(at('b'), at('F')),
    move(at('c'), at('1')),
    move(at('d'), at('f')),
  ]
  expect(findJoined({ moves: both })).toEqual([
    [at('a'), at('c')],
    [at('b'), at('d')],
  ])
})

it('a note that comes back to its depositor joins nothing', () => {
  const moves = [move(at('a'), at('a'), 'recover'), move(at('a'), at('1')), move(at('b'), at('2'))]
  expect(findJoined({ moves })).toEqual([])
})
