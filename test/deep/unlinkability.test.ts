import { expect, it } from 'vitest'
import { linkSpends } from '../relayer/transact/pool-spending/linker/link-spends.ts'
import { spendingStory } from '../relayer/transact/pool-spending/linker/spending-story.ts'

const ACCOUNTS = 40
const SPENDS = 5
const CHANCE = 100 / ACCOUNTS

/** Its short form with recorded proofs is beside the linker: link-spends.test.ts. */
it(
  'a reader of database and logs guesses by chance who made two hundred spends',
  async () => {
    const { suspects, spends, traces } = await spendingStory({
      accounts: ACCOUNTS,
      spends: SPENDS,
      concurrency: 5,
      spacingMs: 20_000,
    })
    expect(spends).toHaveLength(ACCOUNTS * SPENDS)
    expect(spends.filter(({ isTold }) => isTold)).toHaveLength((ACCOUNTS * SPENDS) / 2)
    const score = linkSpends(suspects, spends, traces)
    // The public view: the pools' events, without the database's additions to their rows.
    const events = traces.filter(({ source }) => source === 'pool_event')
    const seen = linkSpends(
      suspects,
      spends,
      events.map((event) => ({ ...event, xmin: null, orders: {} })),
    )
    console.log(
      `linker: ${score.percent.toFixed(2)} %, its best guesses hit ${score.hits.toFixed(1)} of ${spends.length}; ` +
        `by the chain alone ${seen.percent.toFixed(2)} %, ${seen.hits.toFixed(1)}; chance ${CHANCE} %`,
      JSON.stringify(score, null, 1),
    )
    expect(score.percent).toBeLessThan(CHANCE + 2)
    expect(seen.percent).toBeLessThan(CHANCE + 2)
  },
  60 * 60_000,
)
