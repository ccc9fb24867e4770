import { expect, it } from 'vitest'
import { chainStory } from '../relayer/transact/submissions/chain-linker/chain-story.ts'
import { expectChance } from '../relayer/transact/submissions/chain-linker/expect-chance.ts'

const ACCOUNTS = 100
/** A quote takes about a second here. These milliseconds between deposits let as many quotes pass as ten minutes do. */
const RATES = [
  ['a tenth of a quote a second', 60_000],
  ['a quote a second', 600_000],
] as const

it.each(RATES)(
  'at %s a linker over blocks joins deposits, owners, entries and exits by chance',
  async (_, spacingMs) => {
    const story = { accounts: ACCOUNTS, exits: 20, spacingMs, everyMs: 1_000 }
    const { deposits, payers, exits, signers, hours } = await chainStory(story)
    for (const [name, scores] of Object.entries({ deposits, payers, exits })) {
      console.log(
        name,
        scores.map(({ method, percent, chance }) => `${method} ${percent.toFixed(1)}/${chance.toFixed(1)}`),
      )
      expectChance(name, scores, hours)
    }
    expect(signers.sends.isDisjointFrom(signers.relays)).toBe(true)
  },
  60 * 60_000,
)
