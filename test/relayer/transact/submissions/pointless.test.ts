import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Hash } from 'viem'
import { z } from 'zod'
import { readRawAttempts } from '../../../../db/chain/broadcast/outbound-forms.ts'
import { sql } from '../../../../db/connect-database.ts'
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

const GWEI = 10n ** 9n
const CHEAP = GWEI
/** Above the highest price the service may offer: its transactions can be neither mined nor replaced. */
const DEAR = 50n * GWEI

const mineAt = async (baseFee: bigint) => {
  await world.ask('anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`)
  await world.blocks.mine()
}

const transactionRow = z.object({
  status: z.string(),
  call: z.instanceof(Buffer),
  hash: z.string().nullable(),
  forms: z.bigint(),
})
const transactionOf = (quoteId: string) =>
  world.pool.one(sql.type(transactionRow)`
    select status, data as call, mined_hash as hash,
      (select count(*) from outbound_attempt where outbound_id = outbound_tx.id) as forms
    from outbound_tx join intent_batch on outbound_id = outbound_tx.id
    join intent_batch_share on batch_id = intent_batch.id where quote_id = ${quoteId}`)

const formsOf = (quoteId: string) =>
  world.pool.anyFirst(sql.type(z.object({ hash: z.string() }))`
    select hash from outbound_attempt join intent_batch using (outbound_id)
    join intent_batch_share on batch_id = intent_batch.id where quote_id = ${quoteId}
    order by outbound_attempt.created_at`)

/** A transaction in the mempool whose only quote has expired and failed. */
async function outliveQuote(bumpAfterMs: number) {
  const service = await world.start({
    config: { leastLifeMs: 0 },
    broadcast: { bumpAfterMs, resendAfterMs: 600_000 },
    relayer: { maxGasPrice: String(10n * GWEI) },
  })
  await mineAt(CHEAP)
  const sender = await world.openSender(2)
  const { timestamp } = await world.reader.getBlock()
  await world.blocks.hold()
  const quote = await world.quote(sender, { expiry: timestamp + 60n })
  await service.submit(quote.accountId, quote.submission)
  await mineAt(DEAR)
  // It has expired by the chain's clock and by ours.
  await world.ask('evm_increaseTime', 120)
  await world.pool.query(sql.typeAlias('void')`
    update intent set expires_at = now() - interval '1 s' where quote_id = ${quote.quoteId}`)
  for (let block = 0; block < 3; block += 1) await mineAt(DEAR)
  await world.settled()
  await world.until(
    () => transactionOf(quote.quoteId),
    ({ status, call }) => status === 'sent' && call.length === 0,
  )
  return quote
}

const settled = async (quoteId: string) => {
  world.blocks.keepMining()
  const end = await world.until(
    () => transactionOf(quoteId),
    ({ status }) => status === 'confirmed',
  )
  expect((await world.quotes()).find(({ id }) => id === quoteId)).toMatchObject({
    status: 'failed',
    live: 0n,
  })
  await world.expectTrueLedger()
  return world.reader.getTransaction({ hash: end.hash as Hash })
}

it('a batch that became pointless is replaced by an empty transfer, which uses its nonce', async () => {
  const quote = await outliveQuote(100)
  // The batch itself: the form that takes its nonce may have been sent already.
  const [batch] = await formsOf(quote.quoteId)
  await world.ask('anvil_dropTransaction', batch)
  for (let block = 0; block < 2; block += 1) await mineAt(CHEAP)
  await world.until(
    () => transactionOf(quote.quoteId),
    ({ forms }) => forms > 1n,
  )
  const mined = await settled(quote.quoteId)
  expect(mined).toMatchObject({ to: mined.from, input: '0x', value: 0n, gas: 21_000n })
})

it('a pointless batch that is mined all the same is booked once', async () => {
  const quote = await outliveQuote(600_000)
  await mineAt(CHEAP)
  // A node still has it.
  const [form] = await formsOf(quote.quoteId)
  const raw = await readRawAttempts(world.pool, [form as Hash])
  await world.ask('eth_sendRawTransaction', raw.get(form as Hash))
  const mined = await settled(quote.quoteId)
  expect(mined).toMatchObject({ to: world.intents.orchestrator.toLowerCase(), type: 'eip7702' })
  expect(await formsOf(quote.quoteId)).toContain(mined.hash)
})

const losses = () =>
  world.pool.anyFirst(sql.type(z.object({ gas: z.bigint() }))`select gas from gas_lost order by lost_at`)

it('a batch that nodes dropped is simulated before it is sent again, and costs nothing if an intent would fail now', async () => {
  const service = await world.start({ broadcast: { bumpAfterMs: 600_000, resendAfterMs: 300 } })
  await mineAt(CHEAP)
  const sender = await world.openSender()
  const before = await losses()
  await world.blocks.hold()
  const quote = await world.quote(sender)
  await service.submit(quote.accountId, quote.submission)
  await world.until(
    () => transactionOf(quote.quoteId),
    ({ status }) => status === 'sent',
  )
  // Too dear for the batch, not for the transaction that takes the money away.
  await world.takeAway(sender.keys[0]!.address)
  await mineAt(5n * GWEI)
  for (const hash of await formsOf(quote.quoteId)) await world.ask('anvil_dropTransaction', hash)
  await world.until(
    () => transactionOf(quote.quoteId),
    ({ status }) => status === 'abandoned',
  )
  expect(await transactionOf(quote.quoteId)).toMatchObject({ hash: null, forms: 1n })
  expect(await losses()).toEqual(before)
  // Its intents wait for their money again.
  expect((await world.quotes()).find(({ id }) => id === quote.quoteId)).toMatchObject({ status: 'submitted' })
})
