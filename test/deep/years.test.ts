import { expect, test } from 'vitest'
import { findGrown, findLargeReads, type StatementFigures } from './years/judge-statements.ts'
import { yearsStory } from './years/years-story.ts'

/** Settled transactions; 10,000,000 need some 100 GB and hours. */
const TRANSACTIONS = Number(process.env['YEARS_TRANSACTIONS'] ?? 100_000)
/** Enough for a statement to be prepared and to get a plan for all parameters. */
const PASSES = 12

const say = (line: string) => process.stdout.write(`${line}\n`)

test(
  'with years behind it, a used service reads no large table from end to end, and no more rows than a fresh one',
  { timeout: 12 * 3_600_000 },
  async () => {
    const empty = await yearsStory(0, PASSES)
    const full = await yearsStory(TRANSACTIONS, PASSES, say)
    tellTimes(full, empty)
    expect(findLargeReads(full)).toEqual([])
    expect(findGrown(full, empty)).toEqual([])
  },
)

/** Prints times without judging them: they measure the machine's other work too. */
function tellTimes(full: readonly StatementFigures[], empty: readonly StatementFigures[]): void {
  const before = new Map(empty.map((figures) => [figures.text, figures]))
  const common = full.filter(({ text }) => before.has(text))
  const sum = (list: readonly StatementFigures[], of: (figures: StatementFigures) => number) =>
    list.reduce((total, figures) => total + of(figures), 0)
  const partners = common.map(({ text }) => before.get(text) as StatementFigures)
  say(
    `${TRANSACTIONS} settled transactions; ${full.length} statements, ${common.length} of them in both databases`,
  )
  say(
    `medians added up: ${sum(common, ({ ms }) => ms).toFixed(1)} ms, fresh ${sum(partners, ({ ms }) => ms).toFixed(1)} ms`,
  )
  say(
    `pages added up: ${sum(common, ({ pages }) => pages).toFixed(0)}, fresh ${sum(partners, ({ pages }) => pages).toFixed(0)}`,
  )
  for (const { text, runs, ms, pages, rows } of common) {
    const alone = before.get(text) as StatementFigures
    if (ms > 2 * alone.ms && ms > 0.2)
      say(
        `  ${alone.ms.toFixed(2)} → ${ms.toFixed(2)} ms, ${alone.pages.toFixed(0)} → ${pages.toFixed(0)} pages, ${alone.rows.toFixed(0)} → ${rows.toFixed(0)} rows, ${runs} runs: ${text.slice(0, 110)}`,
      )
  }
}
