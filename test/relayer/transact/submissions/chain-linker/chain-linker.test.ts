import { it } from 'vitest'
import { chainStory } from './chain-story.ts'
import { expectChance } from './expect-chance.ts'

it('the chain does not show which deposits are of one quote, nor which payer owns a fresh address', async () => {
  const { deposits, payers } = await chainStory({ accounts: 8, exits: 0, spacingMs: 600_000, everyMs: 100 })
  expectChance('deposits of one quote', deposits)
  expectChance('payer and fresh recipient', payers)
})
