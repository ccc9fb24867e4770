import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../../db/connect-database.ts'
import { startSubmissionWorld, type SubmissionWorld } from '../../submissions/start-submission-world.ts'
import { openRecoveries } from './recovery-world.ts'

let world: SubmissionWorld
let recoveries: Awaited<ReturnType<typeof openRecoveries>>
beforeAll(async () => {
  world = await startSubmissionWorld()
  recoveries = await openRecoveries(world)
})
afterEach(async () => {
  await world.stopServices()
  await world.blocks.stopMining()
  await world.blocks.release()
})
afterAll(async () => {
  await recoveries?.close()
  await world?.stop()
})

const endOf = async (quoteId: string) => (await world.quotes()).find(({ id }) => id === quoteId)!
const soon = () => BigInt(Math.floor(Date.now() / 1_000) + 40)
/** After it no intent that was to last forty seconds can be mined. */
const passTime = async () => {
  await world.ask('evm_increaseTime', 60)
  await world.blocks.mine(3)
}

it('two services that are given the same recoveries take each deposit back once', async () => {
  const quotes = [
    await recoveries.recover(await recoveries.openDeposit()),
    await recoveries.recover(await recoveries.openDeposit()),
  ]
  world.blocks.keepMining()
  const chain = { confirmations: 1 }
  const services = [await world.start({ chain }), await world.start({ chain })]
  await Promise.all(
    quotes.flatMap(({ accountId, submission }) =>
      services.map((service) => service.submit(accountId, submission)),
    ),
  )
  await world.settled()
  for (const { quoteId } of quotes) expect((await endOf(quoteId)).status).toBe('confirmed')
  expect(await recoveries.listOnChain()).toHaveLength(2)
  await recoveries.expectTrueRecoveries()
})

it('a recovery that a reorg removed is made again', async () => {
  const service = await world.start({ chain: { confirmations: 2 } })
  const { accountId, quoteId, submission, of } = await recoveries.recover(await recoveries.openDeposit())
  const isBack = async () => (await recoveries.listOnChain()).some(({ label }) => label === of.note.label)
  await service.submit(accountId, submission)
  await world.until(isBack, (is) => is)
  // The repeated send stays unmined while blocks are held.
  await world.blocks.hold()
  await world.ask('anvil_reorg', 1, [])
  expect(await isBack()).toBe(false)
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  expect((await endOf(quoteId)).status).toBe('confirmed')
  expect(await isBack()).toBe(true)
  await recoveries.expectTrueRecoveries()
})

it('a depositor who takes the deposit back alone meanwhile has it once, and the quote fails', async () => {
  const service = await world.start({ config: { leastLifeMs: 0 } })
  const deposit = await recoveries.openDeposit()
  const { accountId, quoteId, submission } = await recoveries.recover(deposit, { expiry: soon() })
  await world.blocks.hold()
  await service.submit(accountId, submission)
  await recoveries.frontRun(deposit)
  await world.blocks.mine(2)
  await passTime()
  world.blocks.keepMining()
  await world.settled()
  expect((await endOf(quoteId)).status).toBe('failed')
  expect((await recoveries.listOnChain()).map(({ label }) => label)).toContain(deposit.note.label)
  await recoveries.expectTrueRecoveries()
})

it('a recovery whose time is over is never made, and the deposit can be taken back by another', async () => {
  const service = await world.start({ chain: { confirmations: 1 } })
  const deposit = await recoveries.openDeposit()
  const first = await recoveries.recover(deposit, { expiry: soon() + 60n })
  await expect(recoveries.recover(deposit)).rejects.toMatchObject({ constraint: 'pool_recovery_label' })
  await world.blocks.hold()
  await service.submit(first.accountId, first.submission)
  await world.pool.query(sql.typeAlias('void')`
    update intent set expires_at = now() - interval '1 second' where quote_id = ${first.quoteId}`)
  await world.ask('anvil_dropAllTransactions')
  await world.ask('evm_increaseTime', 60)
  await passTime()
  world.blocks.keepMining()
  await world.settled()
  expect((await endOf(first.quoteId)).status).toBe('failed')
  const second = await recoveries.recover(deposit)
  await service.submit(second.accountId, second.submission)
  await world.settled()
  expect((await endOf(second.quoteId)).status).toBe('confirmed')
  await recoveries.expectTrueRecoveries()
})
