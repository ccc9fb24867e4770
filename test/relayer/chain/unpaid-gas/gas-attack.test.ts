import { expect, it } from 'vitest'
import { gasAttackStory, expectBounded } from './gas-attack-story.ts'

it('contracts that recognise a simulation cost at most the gas budget and block no other account', async () => {
  const outcome = await gasAttackStory({
    milliseconds: 60_000,
    attempts: 4,
    notes: 7,
    accounts: 2,
    honestRelays: 4,
    honestSends: 2,
    unpaidGasPerHour: 3_000_000,
  })
  expectBounded(outcome)
  expect(outcome.relays.attempts).toBeGreaterThan(20)
  expect(outcome.sends.attempts).toBe(8)
}, 180_000)
