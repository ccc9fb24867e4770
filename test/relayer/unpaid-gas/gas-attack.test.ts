import { expect, it } from 'vitest'
import { attackWithGas, expectBounded } from './gas-attack-story.ts'

it('contracts that recognise a simulation cost no more gas than the budget, and hold up nobody else', async () => {
  const outcome = await attackWithGas({
    milliseconds: 6_000,
    notes: 6,
    accounts: 2,
    honestRelays: 6,
    honestSends: 3,
    unpaidGasPerHour: 4_000_000,
  })
  expectBounded(outcome)
  expect(outcome.relays.attempts).toBeGreaterThan(6)
}, 120_000)
