import { encodeAbiParameters, keccak256, type Hash } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { startDoor, type Door } from '../../../harness/start-door.ts'
import { holdIntents } from './hold-intents.ts'
import { startSubmissionWorld, type SubmissionWorld, type TestQuote } from './start-submission-world.ts'

let world: SubmissionWorld
let door: Door
beforeAll(async () => {
  world = await startSubmissionWorld()
  door = await startDoor(world.chain.config.rpcUrls[0]!)
})
afterEach(async () => {
  door.open()
  await world.stopServices()
  await world.blocks.stopMining()
  await world.blocks.release()
})
afterAll(async () => {
  await door.close()
  await world.stop()
})

it('a payment is sent while the node delays the logs for failing payments of others', async () => {
  // Nothing is indexed, so every log request belongs to a failing quote.
  const service = await world.start({
    chain: { rpcUrls: [door.url] },
    index: false,
    config: { sendWaitMs: 0 },
  })
  const statusOf = async (quoteId: string) =>
    (await world.quotes()).find(({ id }) => id === quoteId)?.status ?? 'missing'
  const quotes: TestQuote[] = []
  for (let index = 0; index < 5; index += 1) quotes.push(await world.quote(await world.openSender()))
  const submit = (quote: TestQuote) => service.submit(quote.accountId, quote.submission)
  const [first, other, ...failing] = quotes as [TestQuote, TestQuote, ...TestQuote[]]
  const held = door.hold(['eth_getLogs'])
  await submit(first)
  const letGo = await holdIntents(world.pool)
  for (const quote of failing) await submit(quote)
  const late = failing.map(({ quoteId }) => quoteId)
  await world.pool.query(sql.typeAlias('void')`
    update intent set expires_at = now() + interval '5 s'
    where quote_id = any(${sql.array(late, 'uuid')}) and status = 'queued'`)
  await letGo()
  await world.until(
    () => Promise.resolve(held.waiting()),
    (waiting) => waiting > 0,
  )

  await submit(other)
  await world.until(
    () => Promise.all([statusOf(first.quoteId), statusOf(other.quoteId)]),
    (both) => both.every((status) => status === 'confirmed'),
  )
  expect(held.waiting()).toBeGreaterThan(0)
  expect(held.givenUp(), 'questions that were given up before').toBe(0)
  expect(await Promise.all(late.map(statusOf))).toEqual(Array(3).fill('submitted'))

  held.letGo()
  await world.until(
    () => Promise.all(late.map(statusOf)),
    (all) => all.every((status) => status === 'failed'),
  )
  for (const quoteId of late)
    expect((await world.quotes()).find(({ id }) => id === quoteId)).toMatchObject({
      failure: expect.stringMatching(/^1 of 1 failed/),
      live: 0n,
    })
})

it('gas that a payment used at its deadline is booked, whichever part sees it first', async () => {
  const service = await world.start({
    chain: { rpcUrls: [door.url] },
    index: false,
  })
  const sender = await world.openSender()
  const contract = privateKeyToAddress(generatePrivateKey())
  await world.ask('anvil_setCode', contract, '0x00')
  const quote = await world.quote(sender, { recipient: contract })
  await world.blocks.hold()
  const { txHash } = await service.submit(quote.accountId, quote.submission)
  expect(txHash).not.toBe(null)
  const tokens = encodeAbiParameters(
    [{ type: 'address' }, { type: 'uint256' }],
    [sender.keys[0]!.address, 0n],
  )
  await world.ask('anvil_setStorageAt', world.token, keccak256(tokens), `0x${'00'.repeat(32)}`)
  const stateOf = async () => (await world.quotes()).find(({ id }) => id === quote.quoteId)!.status

  // The instance that settles the transaction sees its block late.
  const held = door.hold(['eth_getTransactionReceipt'])
  await world.blocks.mine()
  const { gasUsed } = await world.reader.getTransactionReceipt({ hash: txHash as Hash })
  await world.ask('evm_increaseTime', 60)
  world.blocks.keepMining()
  await world.pool.query(sql.typeAlias('void')`
    update intent set expires_at = now() where quote_id = ${quote.quoteId}`)
  await world.until(
    async () => ({ waiting: held.waiting(), status: await stateOf() }),
    ({ waiting, status }) => waiting > 1 || status === 'failed',
  )
  held.letGo()
  await world.until(
    async () => ({ status: await stateOf(), open: await countOpen() }),
    ({ status, open }) => status === 'failed' && open === 0,
  )
  const lost = await world.pool.any(sql.type(lostRow)`select share, gas from gas_lost`)
  expect(lost).toEqual([{ share: 'new', gas: gasUsed }])
  const row = (await world.intentRows()).find(({ quoteId }) => quoteId === quote.quoteId)
  expect(row).toMatchObject({ status: 'failed', txHash })
})

const lostRow = z.object({ share: z.string(), gas: z.bigint() })

const countOpen = () =>
  world.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from outbound_tx where settled_at is null`)

it('an intent that was sent to a node while it was judged is not given up', async () => {
  const service = await world.start({
    chain: { rpcUrls: [door.url] },
    index: false,
    config: { sendWaitMs: 0, maxAttempts: 1 },
  })
  const [first, failing] = [
    await world.quote(await world.openSender()),
    await world.quote(await world.openSender()),
  ]
  const held = door.hold(['eth_getLogs'])
  await service.submit(first.accountId, first.submission)
  const letGo = await holdIntents(world.pool)
  await service.submit(failing.accountId, failing.submission)
  await world.takeAway(failing.intents[0]!.eoa)
  await letGo()
  await world.until(
    () => Promise.resolve(held.waiting()),
    (waiting) => waiting > 0,
  )
  // Another instance sends it meanwhile and its transaction is abandoned.
  await world.pool.query(sql.typeAlias('void')`
    update intent set exposed = true where quote_id = ${failing.quoteId}`)
  held.letGo()
  const judged = await world.until(
    async () => ({
      attempts: await world.attemptsOf(failing.quoteId),
      quote: (await world.quotes()).find(({ id }) => id === failing.quoteId),
    }),
    ({ attempts, quote }) => attempts[0] !== 0 || quote?.status !== 'submitted',
  )
  expect(judged.quote).toMatchObject({ status: 'submitted', failure: null })
  await world.until(
    async () => ({
      sent: (await world.quotes()).find(({ id }) => id === first.quoteId)?.status,
      open: await countOpen(),
    }),
    ({ sent, open }) => sent === 'confirmed' && open === 0,
  )
})
