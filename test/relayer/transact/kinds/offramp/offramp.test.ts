import { erc20Abi, parseEther, parseUnits, type Address } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../db/connect-database.ts'
import { allowanceOf, balanceOf } from '../swap/cross-chain/bridge-once.ts'
import { callsFailedIn, fill } from '../swap/cross-chain/fill-deposits.ts'
import type { WalletSender } from '../../submissions/open-wallet-sender.ts'
import { payeeHash } from '../../venues/cash-out/peer/start-curator.ts'
import { askedOf, bodyOf, quoteCashOut } from './ask-cash-out.ts'
import { cashContracts, UNKNOWN_METHOD } from './cash-settings.ts'
import { startCashWorld, submitAndWait, type CashWorld } from './start-cash-world.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import { listTablesWith } from '../../../../harness/list-tables-with.ts'

let world: CashWorld
let alice: WalletSender
const usd = (amount: string) => parseUnits(amount, 6)
const { escrow } = cashContracts

beforeAll(async () => {
  world = await startCashWorld()
  alice = await world.openSender()
})
afterAll(() => world?.[Symbol.asyncDispose]())
beforeEach(() => void world.curator.asked.splice(0))

const fund = async (amount: string): Promise<Address> => {
  const [address] = await alice.receiveAll(world.origin.dollar, [usd(amount)])
  if (!address) throw new Error('nothing was received')
  return address
}
const refusal = async (body: Record<string, unknown>) => {
  const { status, body: answer } = await alice.post('/quote', body)
  return { status, ...(answer as { code?: string; message?: string; minimum?: string }) }
}
const orderOf = (quoteId: string) =>
  world.service.database.pool.one(sql.type(z.record(z.string(), z.unknown()))`
    select depositor, escrow, token, amount, payment_method, currency, payee_details, chain_id::int, source_chain_id::int,
      source_amount, minimum_rate, quoted_rate
    from cash_order where quote_id = ${quoteId}::uuid`)
const payeesKept = () =>
  world.service.database.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int as count from cash_payee`)
const quotesKept = () =>
  world.service.database.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int as count from quote`)

it('a cash-out puts exactly its amount into the escrow in the payer’s name, and stores the handle sealed', async () => {
  const payer = await fund('500')
  const asked = askedOf(world, usd('100'), { payee: 'sealed-handle' })
  const quote = await quoteCashOut(alice, asked, { singleAddress: payer })
  expect(quote).toMatchObject({
    paymentMethod: 'venmo',
    currency: 'USD',
    conversionRate: '1',
    minimumConversionRate: '0.98',
    estimatedFiatAmount: '100.00 USD',
    minimumFiatAmount: '98.00 USD',
    payeeDetails: payeeHash('venmo', 'sealed-handle'),
    outputRecipient: escrow,
    expectedOutput: String(usd('100')),
    minimumOutput: String(usd('100')),
    bridgeProvider: null,
    recoveryRecipient: null,
    fundingCaveats: [],
    selectedFundingSources: [{ address: payer }],
  })
  expect(JSON.stringify(quote)).not.toContain('sealed-handle')
  expect(await listTablesWith(world.service.database.pool, 'sealed-handle')).toEqual([])
  await submitAndWait(world, alice, quote, world.origin)

  const { depositId } = await world.findDeposited(world.origin, payer)
  expect(await world.readDeposit(world.origin, depositId)).toMatchObject({
    depositor: payer,
    remainingDeposits: usd('100'),
    acceptingIntents: true,
  })
  const { payer: person, dollar } = world.origin
  expect(await balanceOf(person, dollar, payer)).toBe(usd('400') - BigInt(quote.fees.total))
  expect(await allowanceOf(person, dollar, payer, escrow)).toBe(0n)
  expect(await orderOf(quote.quoteId)).toEqual({
    depositor: payer,
    escrow,
    token: dollar,
    amount: usd('100'),
    payment_method: 'venmo',
    currency: 'USD',
    payee_details: payeeHash('venmo', 'sealed-handle'),
    chain_id: world.origin.chainId,
    source_chain_id: world.origin.chainId,
    source_amount: usd('100'),
    minimum_rate: parseEther('0.98'),
    quoted_rate: parseEther('1'),
  })
  expect(await listTablesWith(world.service.database.pool, 'sealed-handle')).toEqual([])
})

it('the curator receives method and handle with the quote and the public hash with the submission, and no address', async () => {
  const payer = await fund('60')
  const quote = await quoteCashOut(alice, askedOf(world, usd('50'), { payee: 'told-handle' }), {
    singleAddress: payer,
  })
  const quoted = world.curator.asked.splice(0)
  await submitAndWait(world, alice, quote, world.origin)
  const submitted = world.curator.asked.splice(0)
  const hash = payeeHash('venmo', 'told-handle')
  // The example client resolves the hash by itself.
  expect(quoted.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v2/makers/create',
    `GET /v2/makers/venmo/${hash}`,
  ])
  expect(JSON.parse(quoted[0]!.body)).toEqual({ processorName: 'venmo', offchainId: 'told-handle' })
  expect(submitted.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET /v2/makers/venmo/${hash}`])
  for (const { everything } of [...quoted, ...submitted]) {
    expect(everything.toLowerCase()).not.toContain(payer.slice(2).toLowerCase())
    expect(everything).not.toContain(alice.client.accountId)
  }
})

it('a second cash-out to one handle warns that it links the addresses of both in public', async () => {
  const first = await fund('80')
  const asked = askedOf(world, usd('5'), { payee: 'linking-handle' })
  await submitAndWait(world, alice, await quoteCashOut(alice, asked, { singleAddress: first }), world.origin)
  const quote = await quoteCashOut(alice, asked, { singleAddress: first })
  expect(quote.fundingCaveats).toEqual([{ kind: 'payee_linked', earlierCashOuts: 1 }])
  const other = await quoteCashOut(alice, { ...asked, paymentMethod: 'revolut' }, { singleAddress: first })
  expect(other.fundingCaveats).toEqual([])
  for (const { quoteId } of [quote, other]) await alice.post('/unlock', { quoteId })
})

it('of two quotes to one handle the second is not submitted before it warns that it links both', async () => {
  const payers = [await fund('40'), await fund('40')]
  const asked = askedOf(world, usd('5'), { payee: 'twice-quoted-handle' })
  const [first, second] = [
    await quoteCashOut(alice, asked, { singleAddress: payers[0] }),
    await quoteCashOut(alice, asked, { singleAddress: payers[1] }),
  ]
  expect(second.fundingCaveats).toEqual([])
  await submitAndWait(world, alice, first, world.origin)
  const signed = await alice.sign(second)
  expect(await alice.post('/submit', signed)).toMatchObject({
    status: 400,
    body: { code: 'QUOTE_REFRESH_REQUIRED', message: expect.stringContaining('another address') },
  })
  const path = `/quotes/${second.quoteId}/refresh`
  const { body } = await alice.post(path, {}, { 'idempotency-key': crypto.randomUUID() })
  expect(body).toMatchObject({ fundingCaveats: [{ kind: 'payee_linked', earlierCashOuts: 1 }] })
  await submitAndWait(world, alice, body, world.origin)
})

it('a preview gives price and methods, stores nothing, and asks the curator nothing', async () => {
  const before = [await quotesKept(), await payeesKept()]
  const { chainId, dollar: token } = world.origin
  const ask = (changes: Record<string, unknown>) =>
    alice.post('/offramp-preview', { chainId, token, amount: String(usd('10')), ...changes })
  const { body: shown } = await ask({ paymentMethod: 'revolut', currency: 'EUR' })
  expect(shown).toMatchObject({
    methods: [
      { paymentMethod: 'venmo', currencies: [{ currency: 'USD', conversionRate: '1' }] },
      {
        paymentMethod: 'revolut',
        currencies: [
          { currency: 'USD', conversionRate: '1' },
          { currency: 'EUR', conversionRate: '0.92' },
        ],
      },
      { paymentMethod: UNKNOWN_METHOD },
    ],
    currency: 'EUR',
    escrowAmount: String(usd('10')),
    estimatedFiatAmount: '9.20 EUR',
    minimumFiatAmount: '9.01 EUR',
    rateOnly: false,
    bridgeProvider: null,
  })
  expect(Number((shown as { feeEstimate: string }).feeEstimate)).toBeGreaterThan(0)
  const poor = await ask({ amount: String(usd('90000')) })
  expect(poor.body).toMatchObject({ rateOnly: true, currency: 'USD', paymentMethod: 'venmo' })
  const crossing = await ask({ escrowChainId: world.destination.chainId })
  expect(crossing.body).toMatchObject({
    escrowChainId: world.destination.chainId,
    escrowToken: world.destination.dollar,
    escrowAmount: String(usd('9.99')),
    bridgeProvider: 'across',
    estimatedFillTimeMs: 4_000,
  })
  expect(world.curator.asked).toEqual([])
  expect([await quotesKept(), await payeesKept()]).toEqual(before)
})

it('a preview names addresses to the node of their own chain alone, one in a request', async () => {
  const own = [await fund('20'), await fund('20')].map((address) => address.slice(2).toLowerCase())
  await waitUntilIndexed(world.service, world.destination.payer)
  for (const node of world.nodes) node.takeBodies()
  const { chainId, dollar: token } = world.origin
  const answer = await alice.post('/offramp-preview', {
    chainId,
    token,
    amount: String(usd('10')),
    escrowChainId: world.destination.chainId,
  })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { rateOnly: false } })
  const named = world.nodes.map((node) =>
    node.takeBodies().map((body) => own.filter((address) => body.toLowerCase().includes(address)).length),
  )
  expect(Math.max(...named[0]!)).toBeLessThanOrEqual(1)
  expect(Math.max(0, ...named[1]!)).toBe(0)
})

it('an unsupported token, method or currency is refused with the supported ones, and a tiny amount is not sold', async () => {
  const asked = askedOf(world, usd('10'))
  const { euro, wrapped } = world.origin
  expect(await refusal(bodyOf(asked, { token: euro }))).toMatchObject({ code: 'CASH_OUT_UNSUPPORTED' })
  expect(await refusal(bodyOf(asked, { paymentMethod: 'cash-app' }))).toMatchObject({
    status: 400,
    code: 'CASH_OUT_UNSUPPORTED',
    message: expect.stringContaining('venmo, revolut'),
  })
  expect(await refusal(bodyOf(asked, { currency: 'EUR' }))).toMatchObject({
    message: expect.stringContaining('venmo pays USD'),
  })
  expect(
    await refusal(bodyOf(asked, { token: wrapped, escrowChainId: world.destination.chainId })),
  ).toMatchObject({ code: 'CASH_OUT_UNSUPPORTED' })
  expect(await refusal(bodyOf(asked, { amount: String(usd('0.999999')) }))).toMatchObject({
    code: 'CASH_OUT_TOO_SMALL',
    minimum: '1000000',
  })
  expect(world.curator.asked).toEqual([])
})

it('a payee refused by the venue is refused with the quote, with the submission and with a refresh', async () => {
  const payer = await fund('40')
  const asked = askedOf(world, usd('30'), { payee: 'doubtful-handle' })
  world.curator.refused.add('doubtful-handle')
  const refused = await refusal(bodyOf(asked, { singleAddress: payer }))
  expect(refused).toMatchObject({ status: 400, code: 'PAYEE_REFUSED' })
  expect(JSON.stringify(refused)).not.toContain('doubtful-handle')
  world.curator.refused.delete('doubtful-handle')

  const quote = await quoteCashOut(alice, asked, { singleAddress: payer })
  world.curator.refused.add('doubtful-handle')
  expect(await alice.post('/submit', await alice.sign(quote))).toMatchObject({
    status: 400,
    body: { code: 'QUOTE_REFRESH_REQUIRED' },
  })
  const refresh = () =>
    alice.post(`/quotes/${quote.quoteId}/refresh`, {}, { 'idempotency-key': crypto.randomUUID() })
  expect(await refresh()).toMatchObject({ status: 400, body: { code: 'PAYEE_REFUSED' } })
  world.curator.refused.delete('doubtful-handle')
  world.curator.answer = () => ({ status: 500, body: 'doubtful-handle' })
  expect(await refresh()).toMatchObject({ status: 502, body: { code: 'CASH_OUT_UNAVAILABLE' } })
  expect(await alice.post('/submit', await alice.sign(quote))).toMatchObject({ status: 503 })
  world.curator.answer = null
  expect(await alice.post('/submit', await alice.sign(quote))).toMatchObject({ status: 200 })
  await waitUntilIndexed(world.service, world.origin.payer)
})

it('the service finds a shortage of funds before the curator learns of a payee', async () => {
  const asked = askedOf(world, usd('70000'))
  expect(await refusal(bodyOf(asked))).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  expect(world.curator.asked).toEqual([])
})

it('a rate that has moved has the quote refreshed, which registers the same payee and shows the new rate', async () => {
  const payer = await fund('30')
  const asked = askedOf(world, usd('25'), { payee: 'patient-handle', paymentMethod: 'revolut' })
  const quote = await quoteCashOut(alice, { ...asked, currency: 'EUR' }, { singleAddress: payer })
  expect(quote.estimatedFiatAmount).toBe('23.00 EUR')
  try {
    for (const [rate, code] of [
      [parseEther('0.9'), 'QUOTE_REFRESH_REQUIRED'],
      [parseEther('0.94'), 'QUOTE_REFRESH_REQUIRED'],
      [0n, undefined],
    ] as const) {
      await world.setRate(world.origin, 'EUR', rate)
      const { status, body } = await alice.post('/submit', await alice.sign(quote))
      expect([status, (body as { code?: string }).code]).toEqual(code ? [400, code] : [503, 'SERVER_BUSY'])
    }
    await world.setRate(world.origin, 'EUR', parseEther('0.9'))
    const path = `/quotes/${quote.quoteId}/refresh`
    const { body } = await alice.post(path, {}, { 'idempotency-key': crypto.randomUUID() })
    expect(body).toMatchObject({
      estimatedFiatAmount: '22.50 EUR',
      payeeDetails: quote.payeeDetails,
      selectedFundingSources: [{ address: payer }],
    })
    await submitAndWait(world, alice, body, world.origin)
  } finally {
    await world.setRate(world.origin, 'EUR', parseEther('0.92'))
  }
})

it('the handle is erased when its quote ends without a deposit', async () => {
  const payer = await fund('15')
  const kept = await payeesKept()
  const quote = await quoteCashOut(alice, askedOf(world, usd('10')), { singleAddress: payer })
  expect(await payeesKept()).toBe(kept + 1)
  expect(await alice.post('/unlock', { quoteId: quote.quoteId })).toMatchObject({ status: 200 })
  expect(await payeesKept()).toBe(kept)
})

it('a submission must match its quote: another payee or amount in the signed calls is refused', async () => {
  const payer = await fund('15')
  const quote = await quoteCashOut(alice, askedOf(world, usd('10'), { payee: 'true-handle' }), {
    singleAddress: payer,
  })
  const change = (from: string, to: string) => ({
    ...quote,
    intents: quote.intents.map((intent) => ({
      ...intent,
      executionData: intent.executionData.replaceAll(from, to) as `0x${string}`,
    })),
  })
  const hash = payeeHash('venmo', 'true-handle').slice(2)
  const amount = usd('10').toString(16).padStart(64, '0')
  for (const lie of [
    change(hash, payeeHash('venmo', 'false-handle').slice(2)),
    change(amount, usd('11').toString(16).padStart(64, '0')),
  ]) {
    expect(lie.intents[0]!.executionData).not.toBe(quote.intents[0]!.executionData)
    expect(await alice.post('/submit', await alice.sign(lie))).toMatchObject({
      status: 400,
      body: { code: 'QUOTE_MISMATCH' },
    })
  }
  await alice.post('/unlock', { quoteId: quote.quoteId })
})

it('a method that the escrow does not know is refused by the run', async () => {
  const payer = await fund('15')
  const asked = askedOf(world, usd('10'), { paymentMethod: UNKNOWN_METHOD })
  expect(await refusal(bodyOf(asked, { singleAddress: payer }))).toMatchObject({ code: 'SIMULATION_FAILED' })
  const unsold = await alice.post('/max-spendable', {
    type: 'offramp',
    chainId: world.origin.chainId,
    token: world.origin.dollar,
    spendableAddresses: [payer],
  })
  expect(unsold, JSON.stringify(unsold.body)).toMatchObject({ status: 200 })
  const { maxAmount } = unsold.body as { maxAmount: string }
  const most = askedOf(world, BigInt(maxAmount))
  const quote = await quoteCashOut(alice, most, { singleAddress: payer })
  expect(BigInt(quote.amountIn)).toBeLessThanOrEqual(usd('15'))
  await alice.post('/unlock', { quoteId: quote.quoteId })
})

it('by one signature tokens cross a bridge, and its message opens the sale in the payer’s name', async () => {
  const { origin, destination } = world
  const payer = await fund('300')
  const asked = askedOf(world, usd('200'), { payee: 'far-handle', isCrossing: true })
  const quote = await quoteCashOut(alice, asked, { singleAddress: payer })
  const arrives = usd('199.8')
  expect(quote).toMatchObject({
    bridgeProvider: 'across',
    recoveryRecipient: payer,
    outputRecipient: escrow,
    outputToken: destination.dollar,
    expectedOutput: String(arrives),
    estimatedFiatAmount: '199.80 USD',
    estimatedFillTimeMs: 4_000,
  })
  for (const { everything } of world.fees.asked) {
    expect(everything.toLowerCase()).not.toContain(payer.slice(2).toLowerCase())
    expect(everything).not.toContain(payeeHash('venmo', 'far-handle').slice(2))
  }
  await submitAndWait(world, alice, quote, origin)
  await fill(destination.payer, destination.across, await world.findDeposit())
  const { depositId } = await world.findDeposited(destination, payer)
  expect(await world.readDeposit(destination, depositId)).toMatchObject({
    depositor: payer,
    remainingDeposits: arrives,
  })
  const { multicallHandler } = destination.across
  expect(await balanceOf(destination.payer, destination.dollar, multicallHandler)).toBe(0n)
  expect(await allowanceOf(destination.payer, destination.dollar, multicallHandler, escrow)).toBe(0n)
  expect(await orderOf(quote.quoteId)).toMatchObject({
    depositor: payer,
    amount: arrives,
    chain_id: destination.chainId,
    source_chain_id: origin.chainId,
    source_amount: usd('200'),
  })
})

it('a payer has the bridged token if the escrow refuses what a bridge brings', async () => {
  const { origin, destination } = world
  const payer = await fund('60')
  const asked = askedOf(world, usd('50'), { isCrossing: true, paymentMethod: UNKNOWN_METHOD })
  const quote = await quoteCashOut(alice, asked, { singleAddress: payer })
  await submitAndWait(world, alice, quote, origin)
  const deposit = await world.findDeposit()
  const receipt = await fill(destination.payer, destination.across, deposit)
  expect(callsFailedIn(receipt.logs)).toEqual([payer])
  expect(await balanceOf(destination.payer, destination.dollar, payer)).toBe(usd('49.95'))
  const { reader } = destination.payer.wallet
  const held = await reader.readContract({
    address: destination.dollar,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [destination.across.multicallHandler, escrow],
  })
  expect(held).toBe(0n)
})
