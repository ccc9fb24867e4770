import { encodeFunctionData, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { peerEscrowAbi } from '../../../../relayer/chain/contracts/peer-escrow.ts'
import { accounts } from '../../chain/indexer/chain-calls.ts'
import { eventually } from '../../chain/indexer/start-index-world.ts'
import { cashStory } from './cash-story.ts'
import { expectBooks } from './expect-books.ts'
import { startCashWorld, usd, type CashWorld } from './start-cash-world.ts'
import { takeBack, undoBlock } from './take-back.ts'

let world: CashWorld
beforeAll(async () => {
  world = await startCashWorld()
  await world.tell('hold')
})
afterAll(() => world?.[Symbol.asyncDispose]())

it('two buyers, one of whom pays less than was agreed, and a third who is late: the escrow pays nothing before its proof', async () => {
  const made = await world.open(usd('1000'))
  expect(await expectBooks(world, made)).toMatchObject({
    phase: 'listed',
    acceptsBuyers: true,
    buyerPaymentDueAt: null,
    timeDue: null,
  })
  const first = await world.about(made, 'take', { amount: String(usd('400')) })
  const matched = await expectBooks(world, made)
  expect(matched).toMatchObject({ phase: 'matched', filled: 0n, outstanding: usd('400') })
  expect(matched.recoverableAt).toEqual(matched.buyerPaymentDueAt)
  expect(matched.buyerPaymentDueAt?.getTime()).toBe(((matched.timeDue ?? 0) - 1) * 1_000)

  await world.aboutHeld(first, 'prove')
  expect(await expectBooks(world, made)).toMatchObject({ phase: 'partially_filled', filled: usd('400') })
  const second = await world.about(made, 'take', { amount: String(usd('500')) })
  await world.aboutHeld(second, 'prove', { amount: String(usd('450')) })
  expect(await expectBooks(world, made)).toMatchObject({ filled: usd('850'), outstanding: 0n })

  const third = await world.about(made, 'take', { amount: String(usd('100')) })
  await world.withdraw(made)
  const early = await expectBooks(world, made)
  // A buyer's locked part stays, and can still be paid for.
  expect(early).toMatchObject({
    phase: 'partially_filled',
    withdrawn: usd('50'),
    outstanding: usd('100'),
    acceptsBuyers: false,
  })
  await world.about(made, 'expire')
  const expired = await expectBooks(world, made)
  expect(expired).toMatchObject({ outstanding: 0n, buyerPaymentDueAt: null })
  // Since the buyer's time was over, not since the last read.
  expect(expired.recoverableAt).toEqual(early.buyerPaymentDueAt)

  await world.aboutHeld(third, 'prove')
  expect(await expectBooks(world, made)).toMatchObject({
    phase: 'returned',
    filled: usd('950'),
    withdrawn: usd('50'),
    recoverableAt: null,
  })
})

it('an expired part comes back by one withdrawal, and a later proof is refused', async () => {
  const made = await world.open(usd('300'))
  const held = await world.about(made, 'take')
  await world.about(made, 'expire')
  expect(await expectBooks(world, made)).toMatchObject({ phase: 'listed', outstanding: 0n })
  await world.withdraw(made)
  expect(await expectBooks(world, made)).toMatchObject({
    phase: 'returned',
    withdrawn: usd('300'),
    filled: 0n,
  })
  await expect(world.aboutHeld(held, 'prove')).rejects.toThrow('nobody holds')
})

it('a prune comes late, a buyer gives up, and the rest is sold', async () => {
  const made = await world.open(usd('60'))
  await world.about(made, 'take', { amount: String(usd('20')) })
  await world.about(made, 'expire')
  await world.about(made, 'prune')
  expect(await expectBooks(world, made)).toMatchObject({ phase: 'listed', outstanding: 0n })
  const held = await world.about(made, 'take', { amount: String(usd('30')) })
  await world.aboutHeld(held, 'cancel')
  expect(await expectBooks(world, made)).toMatchObject({ phase: 'listed', filled: 0n })
  await world.about(made, 'fill')
  expect(await expectBooks(world, made)).toMatchObject({
    phase: 'completed',
    filled: usd('60'),
    released: 0n,
  })
})

it('dust goes to the protocol and is neither sold nor returned', async () => {
  const made = await world.open(usd('10'))
  await world.about(made, 'fill', { amount: String(usd('9.95')) })
  expect(await expectBooks(world, made)).toMatchObject({
    phase: 'completed',
    filled: usd('9.95'),
    dust: usd('0.05'),
    recoverableAt: null,
  })
})

it('the order separates parts that the seller released by hand from proved ones', async () => {
  const made = await world.open(usd('50'))
  await world.about(made, 'fill', { amount: String(usd('20')) })
  const held = await world.about(made, 'take')
  await world.aboutHeld(held, 'release-by-hand')
  expect(await expectBooks(world, made)).toMatchObject({
    phase: 'completed',
    filled: usd('50'),
    released: usd('30'),
  })
})

it('buyers pay by the rate of their time; the rest is estimated by the quote', async () => {
  const made = await world.open(usd('100'))
  expect(await expectBooks(world, made)).toMatchObject({ fiatAmount: usd('100') })
  await world.tell('set-rate', { chainId: world.chainId, currency: 'USD', rate: String(11n * 10n ** 17n) })
  await world.about(made, 'fill', { amount: String(usd('40')) })
  expect(await expectBooks(world, made)).toMatchObject({ fiatAmount: usd('104') })
  await world.tell('set-rate', { chainId: world.chainId, currency: 'USD', rate: String(10n ** 18n) })
})

it("a stranger's deposit in the name of an address, or with other terms, is no order’s deposit", async () => {
  const made = await world.order(usd('70'))
  const stranger = accounts.buyers[0]?.address ?? zeroAddress
  await world.fund(stranger, usd('140'))
  const depositTo = (amount: bigint, payee?: string) =>
    encodeFunctionData({
      abi: peerEscrowAbi,
      functionName: 'depositTo',
      args: [made.depositor, world.paramsOf(amount, payee)],
    })
  // The very terms, but in a stranger's transaction.
  await world.send(stranger, world.peer.escrow, depositTo(usd('70')))
  expect(await world.settle(made)).toMatchObject({ phase: 'depositing', depositId: null })
  // In our transaction, but another payee.
  const other = await world.send(stranger, world.peer.escrow, depositTo(usd('70'), 'mallory'))
  await world.execute(made.depositor, other)
  expect(await world.settle(made)).toMatchObject({ phase: 'depositing', depositId: null })
})

it('a reorg takes back each event of a deposit’s life, and the subscribers hear of it', async () => {
  const made = await world.open(usd('100'))
  const first = await takeBack(world, made, () => world.about(made, 'take', { amount: String(usd('40')) }))
  await takeBack(world, made, () => world.aboutHeld(first, 'cancel'))
  const second = await world.about(made, 'take', { amount: String(usd('30')) })
  await takeBack(world, made, () => world.aboutHeld(second, 'prove', { amount: String(usd('25')) }))
  const third = await world.about(made, 'take', { amount: String(usd('20')) })
  await takeBack(world, made, () => world.aboutHeld(third, 'release-by-hand'))
  const fourth = await world.about(made, 'take', { amount: String(usd('15')) })
  // Gives back the free part.
  await takeBack(world, made, () => world.withdraw(made))
  // Pays, closes, and ends the order.
  await takeBack(world, made, () => world.aboutHeld(fourth, 'prove'))
  expect(await expectBooks(world, made)).toMatchObject({ phase: 'returned', filled: usd('60') })
  expect(world.told.filter((quoteId) => quoteId === made.quoteId).length).toBeGreaterThan(10)
})

it('a reorg takes back dust with the close that collected it', async () => {
  const made = await world.open(usd('10'))
  const held = await world.about(made, 'take', { amount: String(usd('9.95')) })
  await takeBack(world, made, () => world.aboutHeld(held, 'prove'))
  expect(await expectBooks(world, made)).toMatchObject({ phase: 'completed', dust: usd('0.05') })
})

it('a reorg takes the deposit itself back: the order waits for it again', async () => {
  const made = await world.open(usd('80'))
  await undoBlock(world)
  const order = await eventually(
    () => world.readOrder(made),
    ({ depositId }) => depositId === null,
  )
  expect(order).toMatchObject({ phase: 'depositing', deposited: 0n, depositTx: null, recoverableAt: null })
})

it('after each of 25 random steps the order in question has the books of the escrow', async () => {
  const { open } = await cashStory(world, 25)
  expect(open).toBeGreaterThan(0)
})
