import { expect, test } from 'vitest'
import { linkerStory } from './linker/linker-story.ts'
import { linkSpends, scoreOf, WAYS } from './linker/link-spends.ts'

const ACCOUNTS = Number(process.env['LINKER_ACCOUNTS'] ?? 40)
const SPENDS = Number(process.env['LINKER_SPENDS'] ?? 5)
/** What a linker may be better than chance. */
const ALLOWED = 0.02

test('whoever takes the database and the logs guesses no better than by chance whose a spend from a pool is', async () => {
  const { traces, suspects, spends, owners } = await linkerStory({ accounts: ACCOUNTS, spendsOfEach: SPENDS })
  const chance = 1 / ACCOUNTS
  // A linker without any skill is right so much more often than chance in one run of twenty.
  const luck = 1.65 * Math.sqrt((chance * (1 - chance)) / spends.length)
  const guesses = linkSpends(traces, suspects, spends)
  const scores = WAYS.map((way) => ({
    way,
    score: scoreOf(
      guesses.map((guess) => guess[way]),
      owners,
    ),
  }))
  process.stdout.write(
    `linker: ${JSON.stringify({ spends: spends.length, traces: traces.length, chance, luck, scores })}\n`,
  )
  for (const { way, score } of scores) expect(score, way).toBeLessThanOrEqual(chance + ALLOWED + luck)
})
