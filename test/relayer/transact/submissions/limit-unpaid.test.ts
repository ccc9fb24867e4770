import { afterAll, beforeAll, expect, it } from 'vitest'
import { endIntents, endSubmittedQuotes } from '../../../../db/transact/intents-end.ts'
import { findSubmittableQuote, submitIntents } from '../../../../db/transact/intents-submit.ts'
import { submissionsConfig } from '../../../../relayer/transact/submissions/config.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { seedLockedQuote, submitPlainly } from './submit-plainly.ts'
import { limitUnpaid } from '../../../../relayer/transact/submissions/submit-quote.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const config = submissionsConfig.parse({ maxUnpaid: 2, maxUnpaidSwaps: 3, maxUnderWay: 6 })
/** It was mined and paid nothing. */
async function fail(quoteId: string | null): Promise<void> {
  if (!quoteId) throw new Error('it was not submitted')
  await endIntents(database.pool, [{ id: quoteId, status: 'failed', txHash: '0x0b', error: '0x' }])
  await endSubmittedQuotes(database.pool, [
    { quoteId, state: 'failed', failure: { code: 'FAILED', text: '' } },
  ])
}

const openAccount = async () => (await seedAccount(database.pool)).accountId
const submit = (accountId: string, isVolatile: boolean) =>
  submitPlainly(database.pool, { accountId, isVolatile })

/** Whether another quote of the account could be submitted. */
async function ask(accountId: string, isVolatile: boolean): Promise<void> {
  const quoteId = await seedLockedQuote(database.pool, { accountId, isVolatile })
  const found = await findSubmittableQuote(database.pool, accountId, quoteId, config.unpaidWindowMs)
  limitUnpaid(config, found!)
}

it('a swap that fails counts as a swap, though it accepts no slippage', async () => {
  const accountId = await openAccount()
  for (let failed = 0; failed < 3; failed += 1) await fail(await submit(accountId, true))
  await ask(accountId, false)
  await expect(ask(accountId, true)).rejects.toMatchObject({ code: 'TOO_MANY_FAILED' })
})

it('pending sends take no room from swaps after a failure, nor swaps from sends', async () => {
  const accountId = await openAccount()
  await fail(await submit(accountId, true))
  for (let sent = 0; sent < 3; sent += 1) await submit(accountId, false)
  await ask(accountId, true)
  await submit(accountId, true)
  await submit(accountId, true)
  await expect(ask(accountId, true)).rejects.toMatchObject({
    code: 'TOO_MANY_UNDER_WAY',
    message: expect.stringContaining(': 2'),
  })
  await ask(accountId, false)
  await submit(accountId, false)
  await expect(ask(accountId, false)).rejects.toMatchObject({ message: expect.stringContaining(': 6') })
})

it('a submission that others of the account have overtaken since its reads is not written', async () => {
  const accountId = await openAccount()
  const quoteId = await seedLockedQuote(database.pool, { accountId, isVolatile: false })
  const read = () => findSubmittableQuote(database.pool, accountId, quoteId, config.unpaidWindowMs)
  const before = await read()
  await submit(accountId, true)
  const terms = {
    quoteId,
    accountId,
    fromBlock: 0n,
    isVolatile: false,
    unpaidWindowMs: config.unpaidWindowMs,
    network: null,
    paidContact: null,
  }
  const others = { unpaid: 0, underWay: 1, alike: 0 }
  expect(await submitIntents(database.pool, { ...terms, others: before!.others }, [])).toEqual({
    outcome: 'overtaken',
    ...others,
  })
  expect(await read()).toMatchObject({ status: 'locked', others })
  expect(await submitIntents(database.pool, { ...terms, others }, [])).toMatchObject({ outcome: 'submitted' })
  expect(
    await submitIntents(database.pool, { ...terms, others: { unpaid: 9, underWay: 9, alike: 9 } }, []),
  ).toMatchObject({ outcome: 'ended' })
})

it('of many quotes of an account that are submitted at once no more pass than were judged', async () => {
  const accountId = await openAccount()
  const quotes = []
  for (let count = 0; count < 5; count += 1)
    quotes.push(await seedLockedQuote(database.pool, { accountId, isVolatile: false }))
  const outcomes = await Promise.all(
    quotes.map((quoteId) =>
      submitPlainly(database.pool, { accountId, isVolatile: false, quoteId, alone: true }),
    ),
  )
  expect(outcomes.filter((id) => id !== null)).toHaveLength(1)
})
