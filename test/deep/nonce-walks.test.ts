import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { walkEngine } from '../relayer/chain/broadcast/walk-engine.ts'
import { walkNonces } from '../relayer/chain/broadcast/walk-nonces.ts'

test('on fifty thousand long walks no work has two chances to be mined, and no nonce is lost', () => {
  walkNonces(50_000, 600)
})

test.each(Array.from({ length: 20 }, (_, walk) => walk))(
  'the engine goes where the machine says, on random walk %i',
  async () => {
    const told = await walkEngine(randomInt, 25)
    expect(told.at(-1)).toBe('its block is final: confirmed')
  },
)
