import { parseUnits, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../db/connect-database.ts'
import { withdrawCashOut, type WithdrawalQuote } from '../../../../../schema/client/quotes/cash-out.ts'
import { checkCashOutWithdrawal } from '../../../../../schema/client/quotes/check-cash-out.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import { subscribe } from '../../../../harness/subscribe.ts'
import type { WalletSender } from '../../submissions/open-wallet-sender.ts'
import { balanceOf } from '../swap/cross-chain/bridge-once.ts'
import { fill } from '../swap/cross-chain/fill-deposits.ts'
import { askedOf, quoteCashOut } from './ask-cash-out.ts'
import { cashContracts, UNKNOWN_METHOD } from './cash-settings.ts'
import { openBuyers } from './open-buyers.ts'
import { startCashWorld, submitAndWait, type CashWorld } from './start-cash-world.ts'

let world: CashWorld
let alice: WalletSender
let buyers: Awaited<ReturnType<typeof openBuyers>>
const usd = (amount: string) => parseUnits(amount, 6)
const { escrow } = cashContracts

beforeAll(async () => {
  world = await startCashWorld()
  alice = await world.openSender()
  buyers = await openBuyers(world.origin)
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** A deposit of the amount, by an address that has nothing else. */
async function openDeposit(amount: string): Promise<{ depositor: Address; id: bigint; depositId: string }> {
  const { dollar } = world.origin
  const [depositor] = await alice.receiveAll(dollar, [usd(amount) + usd('60')])
  if (!depositor) throw new Error('nothing was received')
  const asked = askedOf(world, usd(amount), { payee: `handle-of-${depositor}` })
  const quote = await quoteCashOut(alice, asked, { singleAddress: depositor })
  await submitAndWait(world, alice, quote, world.origin)
  const { depositId: id } = await world.findDeposited(world.origin, depositor)
  const depositId = `${escrow.toLowerCase()}_${id}`
  await waitForOrder(id)
  return { depositor, id, depositId }
}
const { stringify } = JSON
const ask = async (sender: WalletSender, body: Record<string, unknown>) => {
  const answer = await sender.post('/quote', {
    type: 'offramp_withdraw',
    chainId: world.origin.chainId,
    ...body,
  })
  return { status: answer.status, ...(answer.body as Partial<WithdrawalQuote> & { code?: string }) }
}
/** Waits until the service knows which deposit is the account's. */
async function waitForOrder(id: bigint, { chainId } = world.origin): Promise<void> {
  const countOrders = () =>
    world.service.database.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
      select count(*)::int as count from cash_order where chain_id = ${chainId} and deposit_id = ${id}`)
  await expect.poll(countOrders).toBe(1)
}
/** A quote that the example client would sign. */
async function demandWithdrawal(depositId: string, amount?: bigint): Promise<WithdrawalQuote> {
  const { dollar: token, chainId } = world.origin
  const body = {
    type: 'offramp_withdraw',
    depositId,
    ...(amount !== undefined && { amount: String(amount) }),
  }
  const quote = (await alice.quote(body)) as WithdrawalQuote
  await checkCashOutWithdrawal(alice.client, quote, {
    chainId,
    depositId,
    ...(amount !== undefined && { amount }),
    token,
    maxFee: usd('2'),
    venue: { escrow },
  })
  return quote
}
const countPayees = (depositor: Address) =>
  world.service.database.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int as count from cash_payee join cash_order using (quote_id) where depositor = ${depositor}`)
const heldBy = (address: Address) => balanceOf(world.origin.payer, world.origin.dollar, address)

it('a withdrawal returns all that no buyer holds, and pays the gas out of it', async () => {
  const { depositor, id, depositId } = await openDeposit('100')
  const before = await heldBy(depositor)
  expect(await countPayees(depositor)).toBe(1)
  const quote = await demandWithdrawal(depositId)
  expect(quote).toMatchObject({
    depositId,
    withdrawnAmount: String(usd('100')),
    outputRecipient: depositor,
    outputRecipientOwned: true,
    minimumOutput: '0',
    fees: { service: '0' },
    fundingCaveats: [],
  })
  await submitAndWait(world, alice, quote, world.origin)
  expect(await heldBy(depositor)).toBe(before + usd('100') - BigInt(quote.fees.total))
  expect(BigInt(quote.expectedOutput)).toBe(usd('100') - BigInt(quote.fees.total))
  expect(await world.readDeposit(world.origin, id)).toMatchObject({ remainingDeposits: 0n })
  expect(await ask(alice, { depositId })).toMatchObject({ status: 400, code: 'NOTHING_TO_WITHDRAW' })
  // The sale has ended: the payee is deleted.
  await expect.poll(() => countPayees(depositor)).toBe(0)
})

it('a named amount comes back whole, and the sale goes on', async () => {
  const { depositor, id, depositId } = await openDeposit('90')
  const before = await heldBy(depositor)
  const quote = await demandWithdrawal(depositId, usd('40'))
  expect(quote.minimumOutput).toBe(quote.expectedOutput)
  expect(await ask(alice, { depositId })).toMatchObject({ status: 400, code: 'WITHDRAWAL_UNDER_WAY' })
  await submitAndWait(world, alice, quote, world.origin)
  expect(await heldBy(depositor)).toBe(before + usd('40') - BigInt(quote.fees.total))
  // The escrow pays it; nothing that the address held is spent.
  const { pending } = await readViews(quote.quoteId)
  expect(pending?.transfers).toMatchObject([
    { fromAddress: escrow, toAddress: depositor, value: String(usd('40')) },
  ])
  expect(stringify(pending)).not.toContain('rovenance"')
  expect(await world.readDeposit(world.origin, id)).toMatchObject({
    remainingDeposits: usd('50'),
    acceptingIntents: true,
  })
  const more = await ask(alice, { depositId, amount: String(usd('50') + 1n) })
  expect(more, stringify(more)).toMatchObject({
    code: 'WITHDRAWAL_TOO_LARGE',
    available: String(usd('50')),
    held: '0',
  })
  expect(await ask(alice, { depositId, amount: '0' })).toMatchObject({ status: 400 })
  // So little that gas costs more.
  expect(await ask(alice, { depositId, amount: '1000' })).toMatchObject({
    status: 400,
    code: 'INSUFFICIENT_FUNDS_FOR_FEES',
  })
})

it('while a buyer holds a part the rest comes back; the part can be paid for, or comes back once it has expired', async () => {
  const { depositor, id, depositId } = await openDeposit('80')
  const held = await buyers.take(id, usd('30'))
  const first = await demandWithdrawal(depositId)
  expect(first.withdrawnAmount).toBe(String(usd('50')))
  await submitAndWait(world, alice, first, world.origin)
  expect(await world.readDeposit(world.origin, id)).toMatchObject({
    outstandingIntentAmount: usd('30'),
    acceptingIntents: false,
  })
  expect(await ask(alice, { depositId })).toMatchObject({
    code: 'NOTHING_TO_WITHDRAW',
    held: String(usd('30')),
  })
  await buyers.expire(id)
  await waitUntilIndexed(world.service, world.origin.payer)
  const before = await heldBy(depositor)
  const rest = await demandWithdrawal(depositId)
  expect(rest.withdrawnAmount).toBe(String(usd('30')))
  await submitAndWait(world, alice, rest, world.origin)
  expect(await heldBy(depositor)).toBe(before + usd('30') - BigInt(rest.fees.total))
  await expect(buyers.prove(held)).rejects.toThrow()
})

it('a buyer who comes between quote and submission has the quote refreshed, and nothing is lost', async () => {
  const { id, depositId } = await openDeposit('70')
  const quote = await demandWithdrawal(depositId)
  const held = await buyers.take(id, usd('20'))
  const refused = await alice.post('/submit', await alice.sign(quote))
  expect(refused).toMatchObject({ status: 400, body: { code: 'QUOTE_REFRESH_REQUIRED' } })
  const path = `/quotes/${quote.quoteId}/refresh`
  const { body } = await alice.post(path, {}, { 'idempotency-key': crypto.randomUUID() })
  expect(body).toMatchObject({ withdrawnAmount: String(usd('50')) })
  await submitAndWait(world, alice, body, world.origin)
  await buyers.prove(held)
  await waitUntilIndexed(world.service, world.origin.payer)
  expect(await ask(alice, { depositId })).toMatchObject({ code: 'NOTHING_TO_WITHDRAW', held: '0' })
})

it("a stranger's addition to a deposit comes back too, and refuses no quote", async () => {
  // The quotes of one account are limited by the minute.
  alice = await world.openSender()
  const { depositor, id, depositId } = await openDeposit('20')
  const before = await heldBy(depositor)
  const quote = await demandWithdrawal(depositId)
  await buyers.addFunds(id, 1n)
  await submitAndWait(world, alice, quote, world.origin)
  expect(await heldBy(depositor)).toBe(before + usd('20') + 1n - BigInt(quote.fees.total))
})

it('a named amount that is all closes the deposit, and one that leaves too little for a buyer is refused', async () => {
  const { depositor, id, depositId } = await openDeposit('20')
  const { intentAmountRange } = await world.readDeposit(world.origin, id)
  const tooMuch = await ask(alice, { depositId, amount: String(usd('20') - intentAmountRange.min + 1n) })
  expect(tooMuch).toMatchObject({
    status: 400,
    code: 'WITHDRAWAL_LEAVES_TOO_LITTLE',
    leastLeft: String(intentAmountRange.min),
  })
  const most = await demandWithdrawal(depositId, usd('20') - intentAmountRange.min)
  await alice.post('/unlock', { quoteId: most.quoteId })
  await submitAndWait(world, alice, await demandWithdrawal(depositId, usd('20')), world.origin)
  expect(await world.readDeposit(world.origin, id)).toMatchObject({ depositor: zeroAddress })
  expect(await countPayees(depositor)).toBeLessThanOrEqual(1)
})

it('only the account that made a deposit is quoted its withdrawal', async () => {
  const { depositId } = await openDeposit('10')
  const mallory = await world.openSender()
  expect(await ask(mallory, { depositId })).toMatchObject({ status: 404 })
  for (const unknown of [`${escrow.toLowerCase()}_999999`, `${world.origin.dollar}_0`])
    expect(await ask(alice, { depositId: unknown })).toMatchObject({ status: 404 })
  expect(await ask(alice, { depositId: 'the-first' })).toMatchObject({ status: 400 })
})

it('of withdrawals that are asked for at once exactly one is quoted', async () => {
  const { depositId } = await openDeposit('30')
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask(alice, { depositId })))
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 400, 400, 400,
  ])
  for (const { status, code } of answers) if (status === 400) expect(code).toBe('WITHDRAWAL_UNDER_WAY')
})

it('a bridged deposit comes back on the escrow’s chain by the same key, which has nothing else there', async () => {
  const { origin, destination } = world
  const [payer] = await alice.receiveAll(origin.dollar, [usd('200')])
  const asked = askedOf(world, usd('100'), { payee: 'returning-handle', isCrossing: true })
  const quote = await quoteCashOut(alice, asked, { singleAddress: payer! })
  await submitAndWait(world, alice, quote, origin)
  await fill(destination.payer, destination.across, await world.findDeposit())
  await waitUntilIndexed(world.service, destination.payer)
  const { depositId: id } = await world.findDeposited(destination, payer!)
  const depositId = `${escrow.toLowerCase()}_${id}`
  const asksThere = {
    chainId: destination.chainId,
    depositId,
    token: destination.dollar,
    maxFee: usd('2'),
    venue: { escrow },
  }
  await waitForOrder(id, destination)
  const withdrawal = await withdrawCashOut(alice.client, asksThere)
  const arrived = await balanceOf(destination.payer, destination.dollar, payer!)
  expect(arrived).toBe(usd('99.9') - BigInt(withdrawal.quote.fees.total))
})

interface Shown {
  quoteId: string
  kind: string
  transfers: unknown[]
  executionStatus: string
  lifecycle: { state: string }
  bridge?: { bridgeStatus: string }
  offRamp: Record<string, unknown> & { phase: string }
}
/** Reads a quote in every view. */
async function readViews(quoteId: string) {
  const pick = (list: Shown[] | undefined) => list?.find((one) => one.quoteId === quoteId)
  const [listed, pending, statuses, relay] = await Promise.all([
    alice.get('/activities'),
    alice.get('/activities/pending'),
    alice.post('/activities/pending/status', { quoteIds: [quoteId] }),
    alice.get(`/relay-status/${quoteId}`),
  ])
  return {
    listed: pick((listed.body as { activity: Shown[] }).activity),
    pending: pick((pending.body as { pending: Shown[] }).pending),
    status: pick((statuses.body as { statuses: Shown[] }).statuses),
    relay: relay.body as { offRamp: Shown['offRamp'] },
  }
}
/** Waits for a phase; then all views agree. */
async function untilPhase(quoteId: string, phase: string) {
  await expect
    .poll(async () => (await readViews(quoteId)).relay.offRamp.phase, { timeout: 60_000 })
    .toBe(phase)
  const views = await readViews(quoteId)
  expect(views.pending?.offRamp).toEqual(views.listed?.offRamp)
  expect(views.status?.offRamp).toEqual(views.relay.offRamp)
  expect(views.listed?.offRamp).toMatchObject(views.relay.offRamp)
  return views
}

it('all views of a cash-out agree from its beginning to its end, and a subscriber hears of each change', async () => {
  const { dollar, chainId } = world.origin
  const [depositor] = await alice.receiveAll(dollar, [usd('200')])
  const asked = askedOf(world, usd('100'), { payee: 'watched-handle' })
  const quote = await quoteCashOut(alice, asked, { singleAddress: depositor! })
  await submitAndWait(world, alice, quote, world.origin)
  const { depositId: id } = await world.findDeposited(world.origin, depositor!)
  const { listed } = await untilPhase(quote.quoteId, 'listed')
  expect(listed).toMatchObject({
    kind: 'SEND',
    executionStatus: 'pending',
    offRamp: {
      peerDepositId: `${escrow.toLowerCase()}_${id}`,
      paymentMethod: 'venmo',
      sourceChainId: chainId,
      escrowTokenAddress: dollar,
      escrowAmount: String(usd('100')),
      remaining: String(usd('100')),
      estimatedFiatAmount: '100.00 USD',
      fromIncognito: false,
      progress: 0,
      acceptsBuyers: true,
      buyerPaymentDueAt: null,
      serviceFee: quote.fees.service === '0' ? null : quote.fees.service,
    },
  })
  const followed = await subscribe(
    world.service.url,
    `subscription { quoteStatus(quoteId: "${quote.quoteId}") { offRamp { phase filled outstanding } } }`,
    alice.client.token,
  )
  const heard: unknown[] = []
  const ended = (async () => {
    for (let news = await followed.next(); news; news = await followed.next()) heard.push(news)
  })()
  const held = await buyers.take(id, usd('100'))
  const matched = await untilPhase(quote.quoteId, 'matched')
  // A buyer's promise is no payment.
  expect(matched.listed?.offRamp).toMatchObject({ filled: '0', outstanding: String(usd('100')), progress: 0 })
  expect(matched.pending?.lifecycle.state).toBe('in_flight')
  await buyers.prove(held)
  const done = await untilPhase(quote.quoteId, 'completed')
  expect(done.listed).toMatchObject({
    executionStatus: 'succeeded',
    offRamp: { progress: 1, remaining: '0', acceptsBuyers: false },
  })
  expect(done.pending?.lifecycle.state).toBe('indexed')
  await ended
  expect(stringify(heard)).toMatch(/listed.*matched.*completed/)
})

it('a cash-out says while a bridge has it, and why it failed if the escrow refuses it', async () => {
  const { origin, destination } = world
  const [payer] = await alice.receiveAll(origin.dollar, [usd('150')])
  const cross = async (changes: object) => {
    const asked = askedOf(world, usd('60'), { payee: 'crossing-handle', isCrossing: true, ...changes })
    const quote = await quoteCashOut(alice, asked, { singleAddress: payer! })
    await submitAndWait(world, alice, quote, origin)
    const { listed } = await untilPhase(quote.quoteId, 'bridging')
    expect(listed).toMatchObject({ kind: 'SEND', executionStatus: 'pending', offRamp: { depositId: null } })
    await fill(destination.payer, destination.across, await world.findDeposit())
    await waitUntilIndexed(world.service, destination.payer)
    return quote.quoteId
  }
  const arrived = await untilPhase(await cross({}), 'listed')
  expect(arrived.listed).toMatchObject({
    bridge: { bridgeStatus: 'completed' },
    offRamp: {
      sourceChainId: origin.chainId,
      escrowChainId: destination.chainId,
      route: { steps: [{ id: 'bridge' }, { id: 'deposit' }, { id: 'buyer' }, { id: 'payout' }] },
    },
  })
  const refused = await untilPhase(await cross({ paymentMethod: UNKNOWN_METHOD }), 'failed')
  expect(refused.listed).toMatchObject({
    executionStatus: 'failed',
    offRamp: { failureKind: 'bridge_fallback', peerDepositId: null, recoverableAt: null },
  })
})
