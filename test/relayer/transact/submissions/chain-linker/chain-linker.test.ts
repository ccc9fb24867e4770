import { expect, it } from 'vitest'
import { chainStory } from './chain-story.ts'
import { expectChance } from './expect-chance.ts'

it('a linker over blocks finds no deposits of one quote and no owner of a fresh address beyond what few accounts scatter by', async () => {
  const { deposits, payers, signers } = await chainStory({
    accounts: 8,
    exits: 1,
    spacingMs: 600_000,
    everyMs: 100,
  })
  expectChance('deposits of one quote', deposits)
  expectChance('payer and fresh recipient', payers)
  expect(signers.relays.size).toBe(1)
  expect(signers.sends.isDisjointFrom(signers.relays)).toBe(true)
})
