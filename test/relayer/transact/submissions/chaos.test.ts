import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Hex } from 'viem'
import { sql } from '../../../../db/connect-database.ts'
import { emptySigners, rememberBalances, THRIFTY } from './empty-signers.ts'
import { killAt } from './kill-submissions.ts'
import { holdIntents } from './hold-intents.ts'
import { startSubmissionWorld, type SubmissionWorld } from './start-submission-world.ts'

let world: SubmissionWorld
beforeAll(async () => {
  world = await startSubmissionWorld()
})
afterEach(async () => {
  await world.stopServices()
  await world.blocks.stopMining()
  await world.blocks.release()
})
afterAll(() => world.stop())

const statusOf = async (quoteId: string) => (await world.quotes()).find(({ id }) => id === quoteId)!.status
const FAST = { sendWaitMs: 300 }

describe('killed', () => {
  it('as soon as an intent is sent, the service still executes it once', async () => {
    const quotes = [await world.quote(await world.openSender(2)), await world.quote(await world.openSender())]
    world.blocks.keepMining()
    await killAt(world, quotes, 'sent')
    const service = await world.start({ chain: { confirmations: 1 } })
    await Promise.all(quotes.map(({ accountId, submission }) => service.submit(accountId, submission)))
    await world.settled()
    for (const { quoteId } of quotes) expect(await statusOf(quoteId)).toBe('confirmed')
    await world.expectTrueLedger()
  })
})

describe('a transaction', () => {
  it('that nodes dropped is sent again', async () => {
    const service = await world.start()
    const quote = await world.quote(await world.openSender(2))
    await world.blocks.hold()
    const { txHash } = await service.submit(quote.accountId, quote.submission)
    await world.ask('anvil_dropTransaction', txHash)
    await world.blocks.mine()
    expect(await statusOf(quote.quoteId)).toBe('submitted')
    await world.blocks.release()
    world.blocks.keepMining()
    await world.settled()
    expect(await statusOf(quote.quoteId)).toBe('confirmed')
    await world.expectTrueLedger()
  })

  it('that fees have overtaken is replaced at a higher price', async () => {
    const service = await world.start({ broadcast: { bumpAfterMs: 300 } })
    const quote = await world.quote(await world.openSender())
    await world.blocks.hold()
    const { txHash } = await service.submit(quote.accountId, quote.submission)
    const mineDear = async () => {
      await world.ask('anvil_setNextBlockBaseFeePerGas', '0x2540be400')
      await world.blocks.mine()
      return statusOf(quote.quoteId)
    }
    await world.until(mineDear, (status) => status !== 'submitted')
    expect(await statusOf(quote.quoteId)).toBe('confirmed')
    const ended = await service.relayStatus(quote.accountId, quote.quoteId)
    expect(ended?.confirmedTxHash).not.toBe(txHash)
    await world.expectTrueLedger()
  })

  it('that a reorg removed is executed again', async () => {
    const service = await world.start({ chain: { confirmations: 2 } })
    const quote = await world.quote(await world.openSender(2))
    const { txHash } = await service.submit(quote.accountId, quote.submission)
    const [intent] = quote.intents
    const isMined = async () => (await world.executionsOf(intent!)).length
    await world.until(isMined, (count) => count === 1)
    // The repeated sends stay unmined while blocks are held.
    await world.blocks.hold()
    await world.ask('anvil_reorg', 1, [])
    expect(await isMined()).toBe(0)
    await world.ask('anvil_dropTransaction', txHash).catch(() => undefined)
    expect(await statusOf(quote.quoteId)).toBe('submitted')
    await world.blocks.release()
    world.blocks.keepMining()
    await world.settled()
    expect(await statusOf(quote.quoteId)).toBe('confirmed')
    await world.expectTrueLedger()
  })

  it('waits while no signer can pay for it, and is reported as queued, then stuck', async () => {
    const service = await world.start({ config: FAST, broadcast: THRIFTY })
    const quote = await world.quote(await world.openSender())
    const refund = await emptySigners(world, service)
    expect(await service.submit(quote.accountId, quote.submission)).toMatchObject({
      status: 'queued',
      txHash: null,
    })
    const status = () => service.relayStatus(quote.accountId, quote.quoteId)
    expect((await status())?.status).toBe('queued')
    await world.pool.query(sql.typeAlias('void')`
      update quote set submitted_at = submitted_at - interval '1 hour' where id = ${quote.quoteId}`)
    expect((await status())?.status).toBe('stuck')
    await refund()
    await world.blocks.mine()
    await world.settled()
    expect(await statusOf(quote.quoteId)).toBe('confirmed')
    await world.expectTrueLedger()
  })
})

describe('a batch', () => {
  /** Without funds a batch waits in the outbox, where its gas can be changed. */
  async function spoilGas(quoteId: string, gasLimit: number): Promise<void> {
    await world.until(
      () =>
        world.pool.exists(
          sql.typeAlias('void')`select from intent where quote_id = ${quoteId} and status = 'batched'`,
        ),
      (isBatched) => isBatched,
    )
    await world.pool.query(sql.typeAlias('void')`
      update outbound_tx set gas_limit = ${gasLimit} where status = 'queued' and id = (
        select outbound_id from intent_batch join intent on batch_id = intent_batch.id where quote_id = ${quoteId})`)
  }

  it.each([
    ['that reverts as a whole', 160_000],
    ['that no node takes', 900_000_000],
  ])('%s leaves its intents to a later batch', async (_, gasLimit) => {
    const service = await world.start({ config: FAST, broadcast: { ...THRIFTY, maxRefusals: 1 } })
    const quote = await world.quote(await world.openSender())
    const refund = await emptySigners(world, service)
    await service.submit(quote.accountId, quote.submission)
    await spoilGas(quote.quoteId, gasLimit)
    await refund()
    world.blocks.keepMining()
    await world.settled()
    expect(await statusOf(quote.quoteId)).toBe('confirmed')
    expect(await world.attemptsOf(quote.quoteId)).toEqual([1])
    await world.expectTrueLedger()
  })
})

it('intents that no signer can pay for together are sent in parts', async () => {
  const service = await world.start({ config: { sendWaitMs: 100, batchWindowMs: 500 } })
  const quotes = []
  for (let index = 0; index < 8; index += 1) quotes.push(await world.quote(await world.openSender()))
  const [richest, ...others] = world.signers
  const refund = await rememberBalances(world)
  const { baseFeePerGas } = await world.reader.getBlock()
  const tip = await world.reader.estimateMaxPriorityFeePerGas()
  for (const address of others) await world.ask('anvil_setBalance', address, '0x0')
  // Pays for a million gas at the highest price: enough for some quotes, not for all.
  const enough = 1_000_000n * (2n * baseFeePerGas! + tip)
  await world.ask('anvil_setBalance', richest, `0x${enough.toString(16)}`)
  await world.until(
    async () => {
      await world.blocks.mine()
      return service.broadcast.signers()
    },
    (signers) => signers.every(({ duty, balance }) => duty === 'relays' || balance <= enough),
  )
  try {
    await Promise.all(quotes.map(({ accountId, submission }) => service.submit(accountId, submission)))
    // Refills the signer to the same amount as often as it spends.
    await world.until(
      async () => {
        await world.ask('anvil_setBalance', richest, `0x${enough.toString(16)}`)
        await sleep(300)
        return world.quotes()
      },
      (rows) => rows.every(({ status }) => status !== 'submitted'),
    )
  } finally {
    await refund()
  }
  for (const { quoteId } of quotes) expect(await statusOf(quoteId)).toBe('confirmed')
  await world.expectTrueLedger()
})

describe('an intent', () => {
  it("that a stranger copied and executed first has succeeded in the stranger's transaction", async () => {
    const service = await world.start()
    const quote = await world.quote(await world.openSender(2))
    await world.blocks.hold()
    const { txHash } = await service.submit(quote.accountId, quote.submission)
    const [first] = quote.intents
    const delegations = quote.submission.delegations.map(({ delegation }) => delegation)
    const sending = world.send([first!], {
      delegations: delegations.slice(0, 1),
      from: world.thief,
      fees: { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 40_000_000_000n },
    })
    await world.until(
      () => world.ask('txpool_status') as Promise<{ pending: Hex }>,
      ({ pending }) => Number(pending) >= 2,
    )
    await world.blocks.release()
    await world.blocks.mine()
    const copied = await sending
    expect(copied.outcomes).toMatchObject([{ state: 'succeeded' }])
    world.blocks.keepMining()
    await world.settled()
    expect(await statusOf(quote.quoteId)).toBe('confirmed')
    const rows = (await world.intentRows()).filter(({ quoteId }) => quoteId === quote.quoteId)
    expect(new Set(rows.map((row) => row.txHash))).toEqual(new Set([copied.receipt.transactionHash, txHash]))
    await world.expectTrueLedger()
  })

  it('fails, once it cannot be executed any more, if its address used the nonce meanwhile', async () => {
    const service = await world.start({ config: { maxAttempts: 2, leastLifeMs: 0 } })
    const expiry = BigInt(Math.floor(Date.now() / 1_000) + 120)
    const quote = await world.quote(await world.openSender(), { expiry })
    await world.blocks.hold()
    await service.submit(quote.accountId, quote.submission)
    await world.useNonce(quote.sender.keys[0]!)
    await world.blocks.mine()
    const exposed = () => world.countExposed(quote.quoteId)
    await world.until(exposed, (count) => count === 1n)
    await sleep(1_000)
    expect(await statusOf(quote.quoteId)).toBe('submitted')
    await world.ask('evm_increaseTime', 240)
    await world.blocks.mine(2)
    await world.pool.query(sql.typeAlias('void')`
      update intent set expires_at = now() where quote_id = ${quote.quoteId}`)
    await world.settled()
    const row = (await world.quotes()).find(({ id }) => id === quote.quoteId)
    expect(row).toMatchObject({ status: 'failed', live: 0n })
    expect(row!.failure).toContain('intents[0]: IntentExpired')
    await world.blocks.release()
    await world.expectTrueLedger()
  })

  it('that becomes invalid while it waits fails without affecting others', async () => {
    const early = await world.start({ config: FAST })
    const bad = await world.openSender()
    await early.submit(bad.accountId, (await world.quote(bad)).submission)
    await world.settled()
    // While a reader still reads the rest of it.
    await world.refill(bad)
    await world.stopServices()
    const service = await world.start({ config: { sendWaitMs: 0, maxAttempts: 3 } })
    const letGo = await holdIntents(world.pool)
    const quotes = [await world.quote(bad, { delegate: false })]
    for (let index = 0; index < 4; index += 1) quotes.push(await world.quote(await world.openSender()))
    await Promise.all(quotes.map(({ accountId, submission }) => service.submit(accountId, submission)))
    await world.takeAway(bad.keys[0]!.address)
    // In one batch.
    await letGo()
    await world.settled()
    const ended = await Promise.all(quotes.map(({ quoteId }) => statusOf(quoteId)))
    expect(ended).toEqual(['failed', 'confirmed', 'confirmed', 'confirmed', 'confirmed'])
    await world.expectTrueLedger()
  })
})

it('an account that withdraws its funds while we pay the gas is limited', async () => {
  const service = await world.start({ config: { maxUnpaid: 1 } })
  const [sender, other] = [await world.openSender(), await world.openSender()]
  await service.submit(sender.accountId, (await world.quote(sender)).submission)
  await world.settled()
  await world.refill(sender)
  const bad = await world.quote(sender, { delegate: false })
  await world.blocks.hold()
  await service.submit(sender.accountId, bad.submission)
  await world.takeAway(sender.keys[0]!.address)
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  expect(await statusOf(bad.quoteId)).toBe('failed')
  await world.refill(sender)
  const next = await world.quote(sender, { delegate: false })
  await expect(service.submit(sender.accountId, next.submission)).rejects.toMatchObject({
    kind: 'forbidden',
    code: 'TOO_MANY_FAILED',
  })
  const good = await world.quote(other)
  await service.submit(other.accountId, good.submission)
  await world.settled()
  expect(await statusOf(good.quoteId)).toBe('confirmed')
  await world.expectTrueLedger()
})

it('the database refuses two quotes of one account in one batch', async () => {
  const sender = await world.openSender()
  const [one, other] = [
    await world.quote(sender, { delegate: false }),
    await world.quote(await world.openSender()),
  ]
  const batchId = crypto.randomUUID()
  const insert = (quoteId: string) =>
    world.pool.query(sql.typeAlias('void')`
      insert into intent_batch_share (batch_id, account_id, quote_id)
      values (${batchId}, ${sender.accountId}, ${quoteId})`)
  await world.pool.query(sql.typeAlias('void')`
    insert into intent_batch (id, chain_id, outbound_id) values (${batchId}, ${world.chainId}, ${batchId})`)
  await insert(one.quoteId)
  await expect(insert(other.quoteId)).rejects.toThrow('unique integrity')
})
