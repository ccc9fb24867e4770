import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { crowdStory } from '../relayer/transact/submissions/crowd-story.ts'
import { killAt, STAGES } from '../relayer/transact/submissions/kill-submissions.ts'
import {
  startSubmissionWorld,
  type SubmissionWorld,
  type TestQuote,
} from '../relayer/transact/submissions/start-submission-world.ts'

const ROUNDS = 8
const QUOTES = 12

let world: SubmissionWorld
beforeAll(async () => {
  world = await startSubmissionWorld()
})
afterEach(async () => {
  await world.stopServices()
  await world.ask('evm_setIntervalMining', 0)
  await world.ask('evm_setAutomine', true)
})
afterAll(() => world.stop())

const upTo = (limit: number) => Math.floor(Math.random() * limit)
const openQuotes = async (count: number) => {
  const quotes: TestQuote[] = []
  for (let index = 0; index < count; index += 1)
    quotes.push(await world.quote(await world.openSender(1 + upTo(3))))
  return quotes
}

it.each(STAGES.flatMap((stage) => [0, 15].map((extraMs) => [stage, extraMs] as const)))(
  'after a kill when an intent is %s and %i ms later, every quote is paid once',
  async (stage, extraMs) => {
    const quotes = await openQuotes(4)
    await world.ask('evm_setIntervalMining', 1)
    await killAt(world, quotes, stage, { extraMs })
    const service = await world.start({ chain: { confirmations: 1 } })
    await Promise.all(quotes.map(({ accountId, submission }) => service.submit(accountId, submission)))
    const ended = await world.settled()
    for (const { quoteId } of quotes) expect(ended.find(({ id }) => id === quoteId)!.status).toBe('confirmed')
    await world.expectTrueLedger()
  },
)

it('every quote is paid once when the service is killed again and again at random moments', async () => {
  const quotes = await openQuotes(QUOTES)
  await world.ask('evm_setIntervalMining', 1)
  for (let round = 0; round < ROUNDS; round += 1)
    await killAt(world, quotes, 'started', { extraMs: 1_500 + upTo(3_000) })
  const service = await world.start({ chain: { confirmations: 1 } })
  await Promise.all(quotes.map(({ accountId, submission }) => service.submit(accountId, submission)))
  await world.settled()
  await world.expectTrueLedger()
})

it('two services pay every quote once on a chain that drops transactions, reorganises, becomes expensive and has thieves', async () => {
  const chain = { confirmations: 3 }
  const broadcast = { bumpAfterMs: 1_000 }
  const services = [await world.start({ chain, broadcast }), await world.start({ chain, broadcast })]
  const rounds: TestQuote[][] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await openQuotes(QUOTES))
  await world.ask('evm_setIntervalMining', 1)
  const trouble = [
    async () => void (await world.ask('anvil_reorg', 1 + upTo(3), [])),
    async () => void (await world.ask('anvil_dropAllTransactions')),
    async () =>
      void (await world.ask(
        'anvil_setNextBlockBaseFeePerGas',
        `0x${(10 ** 9 * (1 + upTo(20))).toString(16)}`,
      )),
  ]
  for (const quotes of rounds) {
    const submitting = Promise.all(
      quotes.map(({ accountId, submission }, index) => services[index % 2]!.submit(accountId, submission)),
    )
    const thieving = steal(quotes[upTo(QUOTES)]!)
    for (let step = 0; step < 3; step += 1) {
      await sleep(upTo(1_500))
      await trouble[upTo(trouble.length)]!().catch(() => undefined)
    }
    await submitting
    await thieving
    await world.settled()
  }
  await world.expectTrueLedger()
})

/** Executes one intent as a stranger, as soon as it is in a public mempool. */
async function steal(quote: TestQuote): Promise<void> {
  const isPublic = async () => {
    const { pending } = (await world.ask('txpool_status')) as { pending: Hex }
    return Number(pending) > 0
  }
  for (let tries = 0; tries < 200 && !(await isPublic()); tries += 1) await sleep(10)
  const [first] = quote.intents
  const delegations = quote.submission.delegations.map(({ delegation }) => delegation).slice(0, 1)
  // A forgotten transaction never resolves.
  const sent = world.send([first!], { delegations, from: world.thief }).catch(() => undefined)
  await Promise.race([sent, sleep(5_000)])
}

it('a hundred accounts that submit at once are each paid once, for about three quarters of the gas', async () => {
  const gas = await crowdStory(world, [await world.start(), await world.start()], 100)
  expect(gas.ratio, JSON.stringify(gas)).toBeLessThanOrEqual(0.78)
})
