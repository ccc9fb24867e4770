import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endIntents, endSubmittedQuote } from '../../../../db/transact/intents-end.ts'
import { insertIntents, markSubmitted } from '../../../../db/transact/intents-submit.ts'
import { insertQuote } from '../../../../db/transact/quotes.ts'
import { submissionsConfig } from '../../../../relayer/transact/submissions/config.ts'
import { limitUnpaid } from '../../../../relayer/transact/submissions/limit-unpaid.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../../account/seed-account.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const config = submissionsConfig.parse({ maxUnpaid: 2, maxUnpaidSwaps: 3, maxUnderWay: 6 })
let intentNonce = 0n

/** Submits a quote; a volatile one demands exactly the simulated output, as without slippage or before a bridge. */
async function submit(accountId: string, isVolatile: boolean): Promise<string> {
  const { pool } = database
  const id = randomUUID()
  await insertQuote(pool, {
    id,
    accountId,
    kind: isVolatile ? 'swap' : 'send',
    chainId: 1,
    token: '0x00',
    tokenDecimals: 18,
    feeBps: 0,
    feeReceiver: '0x02',
    output: isVolatile ? { token: '0x03', amount: 9n, minimum: 9n } : null,
    isVolatile,
    amount: 5n,
    recipient: '0x01',
    terms: {},
    asked: { maxSend: false, recipient: null, details: {}, isMixed: false },
    networkFee: 0n,
    serviceFee: 0n,
    serviceFeeUsdMicros: null,
    feeWaived: true,
    gasCost: 0n,
    expiresAt: new Date(Date.now() + 60_000),
    replaces: null,
  })
  expect(await markSubmitted(pool, accountId, id)).toBe(true)
  const plain = {
    eoa: '0x0a',
    encoded: '0x' as const,
    combinedGas: 1n,
    transactionGas: 1n,
    delegation: null,
    alone: false,
    delayMs: 0,
  }
  await insertIntents(pool, { quoteId: id, accountId, chainId: 1, fromBlock: 0n }, [
    { ...plain, id, place: 0, intentNonce: (intentNonce += 1n), expiresAt: new Date(Date.now() + 60_000) },
  ])
  return id
}

/** It was mined and paid nothing. */
async function fail(quoteId: string): Promise<void> {
  await endIntents(database.pool, [{ id: quoteId, status: 'failed', txHash: '0x0b', error: '0x' }])
  await endSubmittedQuote(database.pool, quoteId, { code: 'FAILED', text: '' })
}

const openAccount = async () => (await seedAccount(database.pool)).accountId
const ask = (accountId: string, isVolatile: boolean) =>
  limitUnpaid(database.pool, config, { accountId, isVolatile }, 0)

it('a swap that fails counts as a swap, though it accepts no slippage', async () => {
  const accountId = await openAccount()
  for (let failed = 0; failed < 3; failed += 1) await fail(await submit(accountId, true))
  await ask(accountId, false)
  await expect(ask(accountId, true)).rejects.toMatchObject({ code: 'TOO_MANY_FAILED' })
})

it('sends under way take no room from swaps after a failure, nor swaps from sends', async () => {
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
