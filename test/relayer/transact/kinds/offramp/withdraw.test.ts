import { parseUnits, type Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../db/connect-database.ts'
import { withdrawCashOut, type WithdrawalQuote } from '../../../../e2e/examples/cash-out.ts'
import { checkWithdrawal } from '../../../../e2e/examples/check-cash-out.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import type { WalletSender } from '../../submissions/open-wallet-sender.ts'
import { balanceOf } from '../swap/cross-chain/bridge-once.ts'
import { fill } from '../swap/cross-chain/fill-deposits.ts'
import { askedOf, quoteCashOut } from './ask-cash-out.ts'
import { cashContracts } from './cash-settings.ts'
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
  await expect.poll(countOrders, { timeout: 30_000 }).toBe(1)
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
  await checkWithdrawal(alice.client, quote, { chainId, depositId, amount, token, venue: { escrow } })
  return quote
}
const countPayees = (depositor: Address) =>
  world.service.database.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int as count from cash_payee join cash_order using (quote_id) where depositor = ${depositor}`)
const heldBy = (address: Address) => balanceOf(world.origin.payer, world.origin.dollar, address)

it('an address gets all back that no buyer holds, and pays the gas out of it', async () => {
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
  // The sale has ended: nobody has to know any more who was to be paid.
  await expect.poll(() => countPayees(depositor), { timeout: 30_000 }).toBe(0)
})

it('a named amount comes back whole, and the sale goes on', async () => {
  const { depositor, id, depositId } = await openDeposit('90')
  const before = await heldBy(depositor)
  const quote = await demandWithdrawal(depositId, usd('40'))
  expect(quote.minimumOutput).toBe(quote.expectedOutput)
  expect(await ask(alice, { depositId })).toMatchObject({ status: 400, code: 'WITHDRAWAL_UNDER_WAY' })
  await submitAndWait(world, alice, quote, world.origin)
  expect(await heldBy(depositor)).toBe(before + usd('40') - BigInt(quote.fees.total))
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

it('nobody but the account that made a deposit is quoted its withdrawal', async () => {
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

it('what crossed a bridge comes back on the escrow’s chain by the same key, which has nothing else there', async () => {
  const { origin, destination } = world
  const [payer] = await alice.receiveAll(origin.dollar, [usd('200')])
  const asked = askedOf(world, usd('100'), { payee: 'returning-handle', isCrossing: true })
  const quote = await quoteCashOut(alice, asked, { singleAddress: payer! })
  await submitAndWait(world, alice, quote, origin)
  await fill(destination.payer, destination.across, await world.findDeposit())
  await waitUntilIndexed(world.service, destination.payer)
  const { depositId: id } = await world.findDeposited(destination, payer!)
  const depositId = `${escrow.toLowerCase()}_${id}`
  const asksThere = { chainId: destination.chainId, depositId, token: destination.dollar, venue: { escrow } }
  await waitForOrder(id, destination)
  const withdrawal = await withdrawCashOut(alice.client, asksThere)
  const arrived = await balanceOf(destination.payer, destination.dollar, payer!)
  expect(arrived).toBe(usd('99.9') - BigInt(withdrawal.quote.fees.total))
})
