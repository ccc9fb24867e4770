import { randomBytes } from 'node:crypto'
import { bytesToHex, encodeAbiParameters, getAddress, keccak256, toHex, type Address, type Hash } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { mostLost } from '../../../../relayer/chain/unpaid-gas/budget-rules.ts'
import type { RunningSubmissions } from './start-submissions.ts'
import {
  startSubmissionWorld,
  type OtherKind,
  type SubmissionWorld,
  type TestQuote,
} from './start-submission-world.ts'

/** Of strangers' code; new accounts have half of it. */
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

const start = (unpaidGasPerHour = BUDGET) =>
  world.start({
    // An intent that cannot be executed is tried five times, and nothing here is about the time between.
    config: { batchWindowMs: 10, provenAfter: 1, sendWaitMs: 1_000, retryAfterMs: 20 },
    relayer: { unpaidGasPerHour },
  })

/** Makes an account proven, by a payment of long ago. */
const prove = (accountId: string, like: string) =>
  world.pool.query(sql.typeAlias('void')`
    insert into quote (id, account_id, kind, chain_id, token, amount, recipient, terms, network_fee, service_fee, fee_waived,
      gas_cost, expires_at, token_decimals, fee_receiver, asked, status, submitted_at, ended_at)
    select gen_random_uuid(), ${accountId}::uuid, kind, chain_id, token, amount, recipient, terms, network_fee, service_fee,
      fee_waived, gas_cost, expires_at, token_decimals, fee_receiver, asked, 'confirmed', now(), now()
    from quote where id = ${like}::uuid`)

/** A contract that accepts payments. */
async function openContract(): Promise<Address> {
  const address = getAddress(bytesToHex(randomBytes(20)))
  await world.ask('anvil_setCode', address, '0x00')
  return address
}

/** Quotes of the given numbers of new accounts, first to contracts, then to plain addresses. */
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

/** Bytecode that stops, and uses up all gas once slot 0 is set. */
const SWITCH = '0x600054600757005b600756'

/** A contract that burns all gas once it is armed, and a function that arms it. */
async function openBurner() {
  const address = getAddress(bytesToHex(randomBytes(20)))
  await world.ask('anvil_setCode', address, SWITCH)
  const burn = () => world.ask('anvil_setStorageAt', address, toHex(0, { size: 32 }), toHex(1, { size: 32 }))
  return { address, burn }
}

/** A quote that calls a contract first, though its token and its recipient are known. */
async function quoteCalling(contract: Address): Promise<TestQuote> {
  const recipient = privateKeyToAddress(generatePrivateKey())
  const other: OtherKind = {
    kind: 'send',
    details: {},
    combinedGas: 400_000n,
    held: 100n,
    calls: () => [{ to: contract, value: 0n, data: '0x' }, world.pay(recipient, 90n)],
    keep: async () => {},
  }
  return world.quote(await world.openSender(), { other, recipient })
}

/** Accepts quotes while no block comes, lets those fail whose turn it is, and waits until all have ended. */
async function meet(
  services: readonly RunningSubmissions[],
  quotes: readonly TestQuote[],
  fail: () => Promise<unknown>,
) {
  await world.blocks.hold()
  const answers = await submitAll(services, quotes)
  await fail()
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  await world.blocks.stopMining()
  return answers
}

it('a chain loses no more than the manual says, whether accounts are new or proven, and pay contracts or not', async () => {
  const budget = 300_000
  const most = mostLost(BigInt(budget))
  const services = [await start(budget), await start(budget)]
  const lost: TestQuote[] = []
  for (let round = 0; round < 4; round += 1) {
    const quotes = await openQuotes(2, 4)
    // Half of them belong to accounts that paid before.
    const proven = quotes.filter((_, place) => place % 2 === 0)
    for (const { accountId, quoteId } of proven) await prove(accountId, quoteId)
    const { accepted } = await meet(services, quotes, async () => {
      for (const quote of quotes) await takeTokens(quote)
    })
    lost.push(...accepted)
    expect(await lostOf(lost)).toBeLessThanOrEqual(most)
    if (accepted.length === 0) break
  }
  expect(await lostOf(lost)).toBeGreaterThan(0n)
  expect(await sum('gas_lost')).toBe(await lostOf(lost))
  expect(await sum('gas_at_risk')).toBe(0n)
})

it('thirty payments to contracts of ten new accounts meet no limit while none failed', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const services = [await start(BUDGET / 2), await start(BUDGET / 2)]
  const quotes: TestQuote[] = []
  for (let account = 0; account < 10; account += 1) {
    const { accountId, keys } = await world.openSender(3)
    for (const key of keys)
      quotes.push(await world.quote({ accountId, keys: [key] }, { recipient: await openContract() }))
  }
  const gas = quotes.reduce((all, { intents }) => all + intents[0]!.combinedGas, 0n)
  expect(gas).toBeGreaterThan(BigInt(BUDGET / 2))
  world.blocks.keepMining()
  const { accepted, refusals } = await submitAll(services, quotes)
  expect(refusals).toEqual([])
  expect(accepted).toHaveLength(30)
  await world.settled()
  const states = await world.quotes()
  expect(quotes.map(({ quoteId }) => states.find(({ id }) => id === quoteId)!.status)).toEqual(
    quotes.map(() => 'confirmed'),
  )
  expect(await sum('gas_lost')).toBe(0n)
})

it('new accounts that fail at contracts stop neither proven accounts nor payments without contracts', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  // Half of it is what new accounts may lose: less of it takes fewer rounds. A payment puts half a million at risk.
  const budget = 1_200_000
  const services = [await start(budget), await start(budget)]
  const lost: TestQuote[] = []
  let refused: readonly { retryAfterSeconds: number }[] = []
  for (let round = 0; round < 10 && refused.length === 0; round += 1) {
    const quotes = await openQuotes(6)
    const { accepted, refusals } = await meet(services, quotes, async () => {
      for (const quote of quotes) await takeTokens(quote)
    })
    lost.push(...accepted)
    refused = refusals
  }
  expect(refused[0]).toMatchObject({ kind: 'unavailable', code: 'GAS_BUDGET_USED_UP' })
  expect(refused[0]!.retryAfterSeconds).toBeGreaterThan(3_000)
  expect(await sum('gas_lost')).toBe(await lostOf(lost))
  expect(await sum('gas_lost')).toBeLessThanOrEqual(BigInt(budget / 2))
  expect(await sum('gas_at_risk')).toBe(0n)

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
  await world.expectTrueLedger()
  // Rounds of blocks: beside other work they take minutes.
}, 400_000)

it('an account that failed waits, so does the contract, and others go on elsewhere', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const sender = await world.openSender(2)
  const [first, second] = sender.keys.map((key) => ({ accountId: sender.accountId, keys: [key] }))
  const recipient = await openContract()
  const quote = await world.quote(first!, { recipient })
  await meet([await start(4_500_000)], [quote], () => takeTokens(quote))
  await world.stopServices()
  // One that starts reads the losses at once.
  const service = await start(4_500_000)
  const again = await world.quote(second!, { recipient: await openContract() })
  const at = await world.quote(await world.openSender(), { recipient })
  for (const { accountId, submission } of [again, at])
    await expect(service.submit(accountId, submission)).rejects.toMatchObject({ code: 'GAS_BUDGET_USED_UP' })
  world.blocks.keepMining()
  const elsewhere = await world.quote(await world.openSender(), { recipient: await openContract() })
  await service.submit(elsewhere.accountId, elsewhere.submission)
  await world.settled()
  expect((await world.quotes()).find(({ id }) => id === elsewhere.quoteId)?.status).toBe('confirmed')
})

it('unlisted tokens have a transaction each, and their gas is that of strangers’ code', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const services = [await world.start({ config: { batchWindowMs: 10, sendWaitMs: 1_000 }, tokens: [] })]
  const quotes = await openQuotes(0, 3)
  await meet(services, quotes, () => takeTokens(quotes[0]!))
  const rows = await world.intentRows()
  expect(new Set(quotes.map(({ quoteId }) => rows.find((row) => row.quoteId === quoteId)!.txHash)).size).toBe(
    3,
  )
  const lost = await world.pool.any(sql.type(z.object({ share: z.string(), contracts: z.array(z.string()) }))`
    select share, contracts from gas_lost`)
  expect(lost).toEqual([{ share: 'new', contracts: [world.token] }])
})

it('two liars in one batch burn their own gas, and no other payment is sent again', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const services = [await start(10_000_000)]
  const burners = [await openBurner(), await openBurner(), await openBurner()]
  const liars: TestQuote[] = []
  for (const { address } of burners) liars.push(await quoteCalling(address))
  const honest = await openQuotes(0, 4)
  await meet(services, [...liars, ...honest], () => Promise.all(burners.map(({ burn }) => burn())))
  const states = await world.quotes()
  const statusOf = ({ quoteId }: TestQuote) => states.find(({ id }) => id === quoteId)!.status
  expect(liars.map(statusOf)).toEqual(['failed', 'failed', 'failed'])
  expect(honest.map(statusOf)).toEqual(['confirmed', 'confirmed', 'confirmed', 'confirmed'])
  for (const { quoteId } of honest) expect(await world.attemptsOf(quoteId)).toEqual([0])
  const rows = await world.intentRows()
  const hashes = [...liars, ...honest].map(
    ({ quoteId }) => rows.find((row) => row.quoteId === quoteId)!.txHash,
  )
  // At least two of the liars shared a transaction with an honest payment.
  expect(new Set(hashes).size).toBeLessThan(hashes.length - 2)
  for (const hash of new Set(hashes))
    expect((await world.reader.getTransactionReceipt({ hash: hash as Hash })).status).toBe('success')
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
  const service = await start(2_000_000)
  const sender = await world.openSender(5)
  const large = await world.quote(sender, { recipient: await openContract() })
  await expect(service.submit(large.accountId, large.submission)).rejects.toMatchObject({
    kind: 'bad-request',
    code: 'SIMULATION_FAILED',
    message: expect.stringMatching(/^This puts \d+ gas at risk.* at most 1000000: .*fewer addresses/),
  })
  expect((await world.quotes()).find(({ id }) => id === large.quoteId)).toMatchObject({ status: 'locked' })
})

const gasRow = z.object({ gas: z.bigint(), share: z.string(), contracts: z.array(z.string()) })
const risks = () => world.pool.any(sql.type(gasRow)`select gas, share, contracts from gas_at_risk`)
/** Gas that the budget counts as pending. */
const underWay = () =>
  world.pool.oneFirst(sql.type(z.object({ gas: z.bigint() }))`
    select coalesce(sum(gas) filter (where not is_lost), 0) as gas from unpaid_gas(${world.config.chainId})`)

/** Gas that new accounts of a network lost a while ago. */
const lose = (gas: number, network: string, contracts: readonly string[] = []) =>
  world.pool.query(sql.typeAlias('void')`
    insert into gas_lost (chain_id, share, gas, network, contracts)
    values (${world.config.chainId}, 'new', ${gas}, ${network}, ${sql.array([...contracts], 'text')})`)

it('eight new users of one network who swap at once through a contract that the operator knows are all served', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const known = await openContract()
  const service = await world.start({
    config: { batchWindowMs: 10, sendWaitMs: 1_000 },
    relayer: { unpaidGasPerHour: 10_000_000, knownContracts: [known] },
  })
  const quotes: TestQuote[] = []
  for (let user = 0; user < 8; user += 1) {
    const other: OtherKind = {
      kind: 'send',
      details: {},
      combinedGas: 550_000n,
      held: 100n,
      calls: () => [{ to: known, value: 0n, data: '0x' }, world.pay(known, 90n)],
      keep: async () => {},
    }
    quotes.push(await world.quote(await world.openSender(), { other, recipient: known }))
  }
  await world.blocks.hold()
  const answers = await Promise.allSettled(
    quotes.map(({ accountId, submission }) => service.submit(accountId, submission, 'one network')),
  )
  expect(answers.map(({ status }) => status)).toEqual(quotes.map(() => 'fulfilled'))
  // No submission waits for another's block either.
  await expect.poll(risks).toHaveLength(8)
  const taken = await risks()
  expect(new Set(taken.map(({ share }) => share))).toEqual(new Set(['plain_new']))
  await world.blocks.release()
  world.blocks.keepMining()
  await world.settled()
  const states = await world.quotes()
  expect(quotes.map(({ quoteId }) => states.find(({ id }) => id === quoteId)!.status)).toEqual(
    quotes.map(() => 'confirmed'),
  )
})

it('new accounts of one network have half of the room that others leave, and a quarter once one failed; others go on', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  await lose(BUDGET / 8, 'noisy')
  const known = await openContract()
  const service = await world.start({
    config: { batchWindowMs: 10, sendWaitMs: 1_000 },
    relayer: { unpaidGasPerHour: BUDGET, knownContracts: [known] },
  })
  const [mine, other] = await openQuotes(2)
  const plain = await world.quote(await world.openSender(), { recipient: known })
  await expect(service.submit(mine!.accountId, mine!.submission, 'noisy')).rejects.toMatchObject({
    code: 'GAS_BUDGET_USED_UP',
  })
  world.blocks.keepMining()
  await service.submit(other!.accountId, other!.submission, 'quiet')
  // A contract that the operator knows is open to the noisy network too.
  await service.submit(plain.accountId, plain.submission, 'noisy')
  await world.settled()
  const states = await world.quotes()
  for (const { quoteId } of [other!, plain])
    expect(states.find(({ id }) => id === quoteId)?.status).toBe('confirmed')
})

it('networks that lost their parts leave room for the first payment of another', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const service = await start()
  // Each lost all that it could: half of the rest.
  for (let left = BUDGET / 2, network = 0; network < 3; network += 1, left /= 2)
    await lose(left / 4, `n${network}`)
  const [mine] = await openQuotes(1)
  world.blocks.keepMining()
  await service.submit(mine!.accountId, mine!.submission, 'quiet')
  await world.settled()
  expect((await world.quotes()).find(({ id }) => id === mine!.quoteId)?.status).toBe('confirmed')
})

it('a contract that failed for strangers is open again once the operator knows it', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const contract = await openContract()
  await lose(BUDGET / 8, 'noisy', [contract])
  const closed = await start()
  const quote = await world.quote(await world.openSender(), { recipient: contract })
  await expect(closed.submit(quote.accountId, quote.submission, 'quiet')).rejects.toMatchObject({
    code: 'GAS_BUDGET_USED_UP',
  })
  await world.stopServices()
  const open = await world.start({
    config: { batchWindowMs: 10, sendWaitMs: 1_000 },
    relayer: { unpaidGasPerHour: BUDGET, knownContracts: [contract] },
  })
  world.blocks.keepMining()
  await open.submit(quote.accountId, quote.submission, 'quiet')
  await world.settled()
  expect((await world.quotes()).find(({ id }) => id === quote.quoteId)?.status).toBe('confirmed')
})

it('the gas of a transaction is free again as soon as a block has it and it paid', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  const service = await world.start({
    chain: { confirmations: 5 },
    config: { batchWindowMs: 10, sendWaitMs: 1_000 },
    relayer: { unpaidGasPerHour: BUDGET },
  })
  const [quote] = await openQuotes(1)
  await world.blocks.hold()
  await service.submit(quote!.accountId, quote!.submission, 'quiet')
  await world.until(risks, (taken) => taken.length === 1 && taken[0]!.share === 'new')
  expect(await underWay()).toBeGreaterThan(0n)
  // One block: it is not final, and its row stays for a reorg.
  await world.blocks.mine()
  await world.until(underWay, (gas) => gas === 0n)
  expect(await risks()).toHaveLength(1)
  world.blocks.keepMining()
  await world.settled()
  expect(await risks()).toEqual([])
})
