import { expect, it } from 'vitest'
import { deriveAccounts } from '../../../../devnet/accounts.ts'
import { chainStory } from './chain-story.ts'
import { expectChance } from './expect-chance.ts'

/**
 * Its long form, with more accounts and at two rates, is test/deep/chain-linker.test.ts. Of so few acts one story in
 * some dozens looks linked by chance; a linker that works finds its links in the second story too.
 */
it(
  'a linker over blocks finds deposits of one quote and owners of fresh addresses no better than by chance',
  { retry: 1 },
  async () => {
    const story = { accounts: 12, exits: 0, spacingMs: 600_000, everyMs: 100 }
    const { deposits, payers, signers, hours } = await chainStory(story)
    expectChance('deposits of one quote', deposits, hours)
    expectChance('payer and fresh recipient', payers, hours)
    // Nobody withdraws here, which would take a proof: those who sign withdrawals are known.
    expect(signers.sends.size).toBeGreaterThan(0)
    const { relaySigners } = deriveAccounts()
    expect(signers.sends.isDisjointFrom(new Set(relaySigners.map(({ address }) => address)))).toBe(true)
  },
)
