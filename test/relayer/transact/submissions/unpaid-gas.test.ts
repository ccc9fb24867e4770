import { randomBytes } from 'node:crypto'
import { bytesToHex, encodeAbiParameters, getAddress, keccak256, type Address, type Hash } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import type { RunningSubmissions } from './start-submissions.ts'
import { startSubmissionWorld, type SubmissionWorld, type TestQuote } from './start-submission-world.ts'

/** New accounts share a quarter of it. */
const BUDGET = 4_000_000
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

const start = () =>
  world.start({
    config: { batchWindowMs: 10, provenAfter: 1 },
    relayer: { unpaidGasPerHour: BUDGET },
  })

/** A contract that accepts payments. */
async function openContract(): Promise<Address> {
  const address = getAddress(bytesToHex(randomBytes(20)))
  await world.ask('anvil_setCode', address, '0x00')
  return address
}

/** Quotes of so many new accounts, first to contracts, then to plain addresses. */
async function openQuotes(contracts: number, plain = 0): Promise<TestQuote[]> {
  const quotes: TestQuote[] = []
  for (let place = 0; place < contracts + plain; place += 1) {
    const sender = await world.openSender()
    quotes.push(await world.quote(sender, place < contracts ? { recipient: await openContract() } : {}))
  }
  return quotes
}

/** Takes an address's tokens at the last moment without a transaction that would invalidate its delegation. */
function takeTokens({ sender }: TestQuote): Promise<unknown> {
  const owner = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [sender.keys[0]!.address, 0n])
  return world.ask('anvil_setStorageAt', world.token, keccak256(owner), `0x${'00'.repeat(32)}`)
}

async function submitAll(services: readonly RunningSubmissions[], quotes: readonly TestQuote[]) {
  const answers = await Promise.allSettled(
    quotes.map(({ accountId, submission }, place) =>
      services[place % services.length]!.submit(accountId, submission),
    ),
  )
  return {
    accepted: quotes.filter((_, place) => answers[place]!.status === 'fulfilled'),
    refusals: answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as { retryAfterSeconds: number }] : [],
    ),
  }
}

const sum = (table: 'gas_lost' | 'gas_at_risk') =>
  world.pool.oneFirst(sql.type(z.object({ gas: z.bigint() }))`
    select coalesce(sum(gas), 0) as gas from ${sql.identifier([table])}`)

/** Gas of the mined transactions of a quote that paid nothing, from the chain. */
async function lostOf(quotes: readonly TestQuote[]): Promise<bigint> {
  const failed = (await world.intentRows()).filter(
    ({ quoteId, status }) => status === 'failed' && quotes.some((one) => one.quoteId === quoteId),
  )
  const hashes = new Set(failed.flatMap(({ txHash }) => (txHash === null ? [] : [txHash])))
  let gas = 0n
  for (const hash of hashes) gas += (await world.reader.getTransactionReceipt({ hash: hash as Hash })).gasUsed
  return gas
}

it('new accounts can lose at most a quarter of the gas budget at contracts, while others are served', async () => {
  const services = [await start(), await start()]
  const lost: TestQuote[] = []
  let refused: { retryAfterSeconds: number }[] = []
  for (let round = 0; round < 8 && lost.length < 12; round += 1) {
    const quotes = await openQuotes(3)
    await world.blocks.hold()
    const { accepted, refusals } = await submitAll(services, quotes)
    expect(await sum('gas_at_risk')).toBeLessThanOrEqual(BigInt(BUDGET / 4))
    for (const quote of accepted) await takeTokens(quote)
    await world.blocks.release()
    world.blocks.keepMining()
    await world.settled()
    await world.blocks.stopMining()
    lost.push(...accepted)
    refused = refusals
    if (accepted.length === 0) break
  }
  expect(refused).toHaveLength(3)
  expect(refused[0]).toMatchObject({ kind: 'unavailable', code: 'GAS_BUDGET_USED_UP' })
  expect(refused[0]!.retryAfterSeconds).toBeGreaterThan(3_000)
  expect(lost.length).toBeGreaterThan(1)
  expect(await sum('gas_lost')).toBe(await lostOf(lost))
  expect(await sum('gas_lost')).toBeLessThanOrEqual(BigInt(BUDGET / 4))
  expect(await sum('gas_at_risk')).toBe(0n)

  // Accounts with an earlier payment share the rest; payments to plain addresses are not limited.
  world.blocks.keepMining()
  const proven = await world.openSender(2)
  const [first, second] = proven.keys.map((key) => ({ accountId: proven.accountId, keys: [key] }))
  const plain = await world.quote(first!)
  await services[0]!.submit(plain.accountId, plain.submission)
  await world.settled()
  const contract = await world.quote(second!, { recipient: await openContract() })
  await services[1]!.submit(contract.accountId, contract.submission)
  await world.settled()
  const ended = await world.quotes()
  for (const { quoteId } of [plain, contract])
    expect(ended.find(({ id }) => id === quoteId)?.status).toBe('confirmed')
  expect(await sum('gas_at_risk')).toBe(0n)
  await world.expectTrueLedger()
})

it('a payment to a contract has its own transaction and fails without affecting others', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const services = [await start()]
  const quotes = await openQuotes(1, 3)
  await world.blocks.hold()
  const { accepted } = await submitAll(services, quotes)
  expect(accepted).toHaveLength(4)
  await takeTokens(quotes[0]!)
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  const rows = await world.intentRows()
  const hashOf = ({ quoteId }: TestQuote) => rows.find((row) => row.quoteId === quoteId)!.txHash
  expect(quotes.slice(1).map(hashOf)).not.toContain(hashOf(quotes[0]!))
  const states = await world.quotes()
  expect(quotes.map(({ quoteId }) => states.find(({ id }) => id === quoteId)!.status)).toEqual([
    'failed',
    'confirmed',
    'confirmed',
    'confirmed',
  ])
  expect(await sum('gas_lost')).toBe(await lostOf([quotes[0]!]))
})

it("a payment to a contract beyond the account's risk limit is refused for good", async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const service = await start()
  const sender = await world.openSender(5)
  const large = await world.quote(sender, { recipient: await openContract() })
  await expect(service.submit(large.accountId, large.submission)).rejects.toMatchObject({
    kind: 'bad-request',
    code: 'SIMULATION_FAILED',
    message: expect.stringMatching(/^This puts \d+ gas at risk.* at most 1000000: .*fewer addresses/),
  })
  expect((await world.quotes()).find(({ id }) => id === large.quoteId)).toMatchObject({ status: 'locked' })
})
