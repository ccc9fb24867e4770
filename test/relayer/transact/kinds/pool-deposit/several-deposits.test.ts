import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { UniqueIntegrityConstraintViolationError } from 'slonik'
import { randomUUID } from 'node:crypto'
import { sql } from '../../../../../db/connect-database.ts'
import { insertBatch } from '../../../../../db/transact/batches.ts'
import { killAt } from '../../submissions/kill-submissions.ts'
import { startSubmissionWorld, type SubmissionWorld } from '../../submissions/start-submission-world.ts'
import { conversionStory } from './conversion-story.ts'
import { openConversions } from './conversion-world.ts'
import { z } from 'zod'

let world: SubmissionWorld
let conversions: Awaited<ReturnType<typeof openConversions>>
beforeAll(async () => {
  world = await startSubmissionWorld()
  conversions = await openConversions(world)
})
afterEach(async () => {
  await world.stopServices()
  await world.blocks.stopMining()
  await world.blocks.release()
})
afterAll(() => world.stop())

const rowsOf = (quoteId: string) =>
  world.pool.any(sql.type(z.object({ id: z.string(), status: z.string(), waits: z.boolean() }))`
    select id, status, not_before > now() as waits from intent where quote_id = ${quoteId} order by place`)
const endOf = async (quoteId: string) => (await world.quotes()).find(({ id }) => id === quoteId)!

it('deposits that two services send are made once each, and no transaction holds two addresses of one account', () =>
  conversionStory(world, { accounts: 4, addresses: 3, spacingMs: 300 }))

it('the database takes no two addresses of one account into a transaction', async () => {
  const service = await world.start(conversions.settings(600_000))
  const { accountId, quoteId, submission } = await conversions.convert(await conversions.openConverter(3))
  await world.blocks.hold()
  await service.submit(accountId, submission)
  // One goes at once, the others later.
  const waiting = await world.until(
    async () => (await rowsOf(quoteId)).filter(({ status }) => status === 'queued'),
    (rows) => rows.length === 2,
  )
  expect(waiting.every(({ waits }) => waits)).toBe(true)
  // It waits for its time, so it is not stuck.
  expect((await service.relayStatus(accountId, quoteId))?.status).toBe('pending')
  const joined = world.pool.transaction((transaction) =>
    insertBatch(
      transaction,
      {
        id: randomUUID(),
        chainId: world.chainId,
        outboundId: randomUUID(),
        shares: [{ accountId, quoteId }],
        intentIds: waiting.map(({ id }) => id),
      },
      sql.fragment`select`,
    ),
  )
  await expect(joined).rejects.toThrow(UniqueIntegrityConstraintViolationError)
  await world.pool.query(
    sql.typeAlias('void')`update intent set not_before = now() where quote_id = ${quoteId}`,
  )
  world.blocks.keepMining()
  await world.settled()
  expect((await endOf(quoteId)).status).toBe('confirmed')
  await conversions.expectTrueDeposits()
})

it('a service that is killed between two deposits makes the others once it is back', async () => {
  const quote = await conversions.convert(await conversions.openConverter(3))
  world.blocks.keepMining()
  await killAt(world, [quote], 'mined', { config: { conversionSpacingMs: 500 } })
  const service = await world.start(conversions.settings(500, { confirmations: 1 }))
  await service.submit(quote.accountId, quote.submission)
  await world.settled()
  expect((await endOf(quote.quoteId)).status).toBe('confirmed')
  await conversions.expectTrueDeposits()
})

it('one forestalled deposit fails alone, and one that a reorg takes back is made again', async () => {
  const service = await world.start(conversions.settings(600_000, { confirmations: 3 }))
  const quote = await conversions.convert(await conversions.openConverter(3))
  await world.blocks.hold()
  await service.submit(quote.accountId, quote.submission)
  const [first] = await world.until(
    async () =>
      (await rowsOf(quote.quoteId)).flatMap(({ status }, place) => (status === 'batched' ? [place] : [])),
    (places) => places.length === 1,
  )
  await conversions.frontRun(quote.precommitments[first!]!)
  await world.until(
    () => world.ask('txpool_status') as Promise<{ pending: string }>,
    ({ pending }) => pending === '0x2',
  )
  await world.blocks.mine(4)
  await world.until(
    () => rowsOf(quote.quoteId),
    (rows) => rows[first!]!.status === 'failed',
  )
  // The others go on, one of them through a reorg.
  await world.pool.query(sql.typeAlias('void')`
    update intent set not_before = now() where quote_id = ${quote.quoteId} and status = 'queued'`)
  await world.until(
    () => rowsOf(quote.quoteId),
    (rows) => rows.filter(({ status }) => status === 'batched').length === 2,
  )
  const before = (await conversions.listOnChain()).length
  let count = before
  // Until the node has been given one of them and it is in the newest block.
  while (count === before) {
    await world.blocks.mine()
    count = (await conversions.listOnChain()).length
  }
  await world.ask('anvil_reorg', 1, [])
  expect((await conversions.listOnChain()).length).toBeLessThan(count)
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  const { status, failure } = await endOf(quote.quoteId)
  expect(status).toBe('failed')
  expect(failure).toMatch(/^1 of 3 failed; intents\[\d\]: PrecommitmentAlreadyUsed$/)
  await conversions.expectTrueDeposits()
})

it('a deposit whose time is over is never made, and its index is free again', async () => {
  const service = await world.start(conversions.settings(0, { confirmations: 1 }))
  const sender = await conversions.openConverter(2)
  const quote = await conversions.convert(sender, {
    expiry: BigInt(Math.floor(Date.now() / 1_000) + 40),
  })
  await world.blocks.hold()
  await service.submit(quote.accountId, quote.submission)
  await world.pool.query(sql.typeAlias('void')`
    update intent set expires_at = now() - interval '1 second' where quote_id = ${quote.quoteId}`)
  await world.ask('anvil_dropAllTransactions')
  await world.ask('evm_increaseTime', 60)
  await world.blocks.mine(3)
  world.blocks.keepMining()
  await world.settled()
  expect((await endOf(quote.quoteId)).status).toBe('failed')
  await conversions.expectTrueDeposits()
  // The same indices once more: the database would refuse them if they were taken.
  await conversions.convert(sender)
})
