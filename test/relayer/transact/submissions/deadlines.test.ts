import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { holdTransaction } from '../../../harness/hold-transaction.ts'
import { emptySigners, THRIFTY } from './empty-signers.ts'
import { holdIntents } from './hold-intents.ts'
import { startSubmissionWorld, type SubmissionWorld, type TestQuote } from './start-submission-world.ts'

let world: SubmissionWorld
beforeAll(async () => {
  world = await startSubmissionWorld()
})
afterEach(async () => {
  await world.stopServices()
  // Deadlines go by our clock, so a chain whose clock is ahead would make the next test wait.
  await world.ask('evm_setTime', Math.floor(Date.now() / 1_000))
})
afterAll(() => world.stop())

const rowOf = async (quoteId: string) => (await world.quotes()).find(({ id }) => id === quoteId)
const inSeconds = (seconds: number) => BigInt(Math.floor(Date.now() / 1_000) + seconds)
/** Lets the time of a quote pass, by the chain's clock and by ours. Earlier steps take as long as they need. */
async function outlive(quoteId: string): Promise<void> {
  await world.ask('evm_increaseTime', 120)
  await world.blocks.mine(3)
  await world.pool.query(sql.typeAlias('void')`
    update intent set expires_at = now() - interval '1 s' where quote_id = ${quoteId}`)
}
const countSent = async () =>
  (await Promise.all(world.signers.map((address) => world.reader.getTransactionCount({ address })))).reduce(
    (sum, count) => sum + count,
    0,
  )

it('a submission that would be mined after its deadline is refused', async () => {
  const service = await world.start()
  for (const [expiresInSeconds, code] of [
    [20, 'QUOTE_EXPIRED'],
    [600, 'QUOTE_REFRESH_REQUIRED'],
  ] as const) {
    const quote = await world.quote(await world.openSender(), { expiry: inSeconds(20), expiresInSeconds })
    await expect(service.submit(quote.accountId, quote.submission)).rejects.toMatchObject({
      kind: 'bad-request',
      code,
    })
    expect((await world.intentRows()).filter(({ quoteId }) => quoteId === quote.quoteId)).toEqual([])
  }
})

const outboundRow = z.object({ status: z.string(), reason: z.string().nullable() })
const outboundOf = (quoteId: string) =>
  world.pool.any(sql.type(outboundRow)`
    select status, reason from outbound_tx join intent_batch on outbound_id = outbound_tx.id
    join intent_batch_share on batch_id = intent_batch.id where quote_id = ${quoteId}`)

it('an intent that was queued for long is simulated again and not sent if it was executed meanwhile', async () => {
  const service = await world.start({ config: { sendWaitMs: 100 }, broadcast: THRIFTY })
  const giveBack = await emptySigners(world, service)
  const quote = await world.quote(await world.openSender())
  await service.submit(quote.accountId, quote.submission)
  await world.until(
    () => outboundOf(quote.quoteId),
    ([row]) => row?.status === 'queued',
  )
  const delegations = quote.submission.delegations.map(({ delegation }) => delegation)
  await world.send(quote.intents, { delegations, from: world.thief })
  // As after restoring a backup from before the transaction was sent.
  await world.pool.query(sql.typeAlias('void')`
    update outbound_tx set created_at = now() - interval '1 hour' where status = 'queued'`)
  const sent = await countSent()
  await giveBack()
  world.blocks.keepMining()
  await world.settled()
  await world.blocks.stopMining()
  expect(await outboundOf(quote.quoteId)).toMatchObject([
    { status: 'abandoned', reason: expect.stringContaining('an intent would fail') },
  ])
  expect(await rowOf(quote.quoteId)).toMatchObject({ status: 'confirmed' })
  expect(await countSent()).toBe(sent)
  await world.expectTrueLedger()
})

it('an intent that waited until its deadline is not sent, and its funds are released', async () => {
  const patient = await world.start({ config: { sendWaitMs: 100 } })
  const letGo = await holdIntents(world.pool)
  const quote = await world.quote(await world.openSender(), { expiry: inSeconds(600) })
  await patient.submit(quote.accountId, quote.submission)
  await world.stopServices()
  await letGo()
  const sent = await countSent()
  await world.start({ config: { leastLifeMs: 600_000, retryAfterMs: 50, maxAttempts: 2 } })
  await world.settled()
  const row = await rowOf(quote.quoteId)
  expect(row).toMatchObject({ status: 'failed', live: 0n })
  expect(row!.failure).toContain('it would be mined too late')
  expect(await countSent()).toBe(sent)
  await world.expectTrueLedger()
})

it('an intent in the outbox at its deadline fails, releases its funds and is not sent', async () => {
  const service = await world.start({ config: { sendWaitMs: 100, leastLifeMs: 0 }, broadcast: THRIFTY })
  const quote = await world.quote(await world.openSender(2), { expiry: inSeconds(60) })
  const refund = await emptySigners(world, service)
  await service.submit(quote.accountId, quote.submission)
  await sleep(1_000)
  expect(await rowOf(quote.quoteId)).toMatchObject({ status: 'submitted', live: 2n })
  await outlive(quote.quoteId)
  await world.settled()
  const row = await rowOf(quote.quoteId)
  expect(row).toMatchObject({ status: 'failed', live: 0n })
  expect(row!.failure).toContain('intents[1]: IntentExpired')

  const sent = await countSent()
  await refund()
  await world.blocks.mine()
  await world.until(
    () => service.broadcast.pending(world.chainId),
    (count) => count === 0,
  )
  expect(await countSent()).toBe(sent)
  await world.expectTrueLedger()
})

it('a judgement does not wait for a review that holds the transaction, and waits for the quote itself', async () => {
  const service = await world.start({ config: { sendWaitMs: 100, leastLifeMs: 0 }, broadcast: THRIFTY })
  const quote = await world.quote(await world.openSender(), { expiry: inSeconds(60) })
  const refund = await emptySigners(world, service)
  await service.submit(quote.accountId, quote.submission)
  await world.until(
    () => outboundOf(quote.quoteId),
    ([row]) => row?.status === 'queued',
  )
  const review = await holdTransaction(world.pool, (transaction) =>
    transaction.query(sql.typeAlias('void')`
      select from outbound_tx where status = 'queued' for update`),
  )
  try {
    await outlive(quote.quoteId)
    await world.settled()
    expect(await rowOf(quote.quoteId)).toMatchObject({ status: 'failed', live: 0n })
    expect(await outboundOf(quote.quoteId)).toMatchObject([{ status: 'queued' }])
  } finally {
    await review.commit()
    await refund()
  }
})

it('an intent that a node holds but does not mine fails after its deadline', async () => {
  const service = await world.start({
    config: { leastLifeMs: 0 },
    broadcast: { bumpAfterMs: 600_000, resendAfterMs: 600_000 },
  })
  const quote = await world.quote(await world.openSender(), { expiry: inSeconds(60) })
  await world.blocks.hold()
  try {
    const { txHash } = await service.submit(quote.accountId, quote.submission)
    expect(txHash).not.toBe(null)
    await world.ask('anvil_dropTransaction', txHash)
    await outlive(quote.quoteId)
    await world.settled()
    expect(await rowOf(quote.quoteId)).toMatchObject({ status: 'failed', live: 0n })
  } finally {
    await world.blocks.release()
  }
})

describe('a payment that waits while gas becomes dear', () => {
  const price = async (gwei: bigint) => {
    await world.ask('anvil_setNextBlockBaseFeePerGas', `0x${(gwei * 10n ** 9n).toString(16)}`)
    await world.blocks.mine()
  }
  /** Its fee covers some 200,000 gas at 5 gwei: 0.001 native coins. */
  const worthOfFee = () => ({ [world.nativeToken]: '3000', [world.token]: '375000' })

  async function submitAndWait(): Promise<TestQuote & { letGo: () => Promise<void> }> {
    await price(1n)
    const patient = await world.start({ worth: worthOfFee(), config: { sendWaitMs: 100 } })
    const letGo = await holdIntents(world.pool)
    const quote = await world.quote(await world.openSender())
    await patient.submit(quote.accountId, quote.submission)
    await world.stopServices()
    await price(50n)
    return { ...quote, letGo }
  }

  it("is not sent above its fee's cover, and goes once gas is cheap again", async () => {
    const { quoteId, intents, letGo } = await submitAndWait()
    const sent = await countSent()
    await letGo()
    await world.start({ worth: worthOfFee(), config: { uncoveredRetryMs: 100 } })
    await world.until(
      () =>
        world.pool.exists(
          sql.typeAlias(
            'void',
          )`select from intent where quote_id = ${quoteId} and uncovered_since is not null`,
        ),
      (isNoted) => isNoted,
    )
    expect(await rowOf(quoteId)).toMatchObject({ status: 'submitted', live: 1n })
    expect(await countSent()).toBe(sent)
    await price(1n)
    world.blocks.keepMining()
    await world.settled()
    await world.blocks.stopMining()
    expect(await rowOf(quoteId)).toMatchObject({ status: 'confirmed' })
    expect(await world.attemptsOf(quoteId)).toEqual([0])
    expect(await world.executionsOf(intents[0]!)).toHaveLength(1)
  })

  it('ends after its time of waiting, and its funds are released', async () => {
    const { quoteId, intents, letGo } = await submitAndWait()
    const sent = await countSent()
    await letGo()
    await world.start({
      worth: worthOfFee(),
      config: { uncoveredWaitMs: 200, uncoveredRetryMs: 100, retryAfterMs: 50 },
    })
    await world.settled()
    const row = await rowOf(quoteId)
    expect(row).toMatchObject({ status: 'failed', live: 0n })
    expect(row!.failure).toContain('its fee does not cover what sending costs now')
    expect(await countSent()).toBe(sent)
    await price(1n)
    expect(await world.executionsOf(intents[0]!)).toHaveLength(0)
  })
})
