import { expect, it } from 'vitest'
import { gasAttackStory, expectBounded } from '../relayer/chain/unpaid-gas/gas-attack-story.ts'

it('a minute of contracts that recognise a simulation costs at most the gas budget and blocks no other account', async () => {
  const outcome = await gasAttackStory({
    milliseconds: 60_000,
    attempts: 1_000_000,
    notes: 30,
    accounts: 6,
    honestRelays: 30,
    honestSends: 20,
    unpaidGasPerHour: 10_000_000,
  })
  expectBounded(outcome)
  expect(outcome.relays.attempts).toBeGreaterThan(100)
  console.log(
    JSON.stringify(outcome, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  )
})
