import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FollowedCashOrder } from '../../../../db/transact/followed-cash-orders.ts'
import { eventually } from '../../chain/indexer/start-index-world.ts'
import { expectBooks } from './expect-books.ts'
import { startCashWorld, usd, type CashWorld, type MadeCash } from './start-cash-world.ts'

let world: CashWorld
beforeAll(async () => {
  world = await startCashWorld()
  await world.tell('hold')
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** What a reorg takes back and a repetition brings again; times are those of other blocks. */
const bookOf = ({ phase, deposited, filled, released, withdrawn, dust, outstanding }: FollowedCashOrder) => ({
  phase,
  deposited,
  filled,
  released,
  withdrawn,
  dust,
  outstanding,
})

/** Replaces the newest block by an empty one. */
async function undo(): Promise<void> {
  await world.ask('anvil_reorg', 1, [])
  await world.ask('anvil_dropAllTransactions')
  await world.ask('evm_mine')
}

/** A step of one block: it changes the books, a reorg takes it back, and once more it does the same. */
async function takeBack(made: MadeCash, step: () => Promise<Hash>): Promise<Hash> {
  const before = bookOf(await expectBooks(world, made))
  await step()
  const after = bookOf(await expectBooks(world, made))
  expect(after).not.toEqual(before)
  await undo()
  expect(bookOf(await expectBooks(world, made))).toEqual(before)
  const again = await step()
  expect(bookOf(await expectBooks(world, made))).toEqual(after)
  return again
}

it('a reorg takes back each event of a deposit’s life, and the subscribers are told', async () => {
  const made = await world.open(usd('100'))
  const first = await takeBack(made, () => world.about(made, 'take', { amount: String(usd('40')) }))
  await takeBack(made, () => world.aboutHeld(first, 'cancel'))
  const second = await world.about(made, 'take', { amount: String(usd('30')) })
  await takeBack(made, () => world.aboutHeld(second, 'prove', { amount: String(usd('25')) }))
  const third = await world.about(made, 'take', { amount: String(usd('20')) })
  await takeBack(made, () => world.aboutHeld(third, 'release-by-hand'))
  const fourth = await world.about(made, 'take', { amount: String(usd('15')) })
  // Gives back what is free.
  await takeBack(made, () => world.withdraw(made))
  // Pays, closes, and ends the order.
  await takeBack(made, () => world.aboutHeld(fourth, 'prove'))
  expect(await expectBooks(world, made)).toMatchObject({ phase: 'returned', filled: usd('60') })
  expect(world.told.filter((quoteId) => quoteId === made.quoteId).length).toBeGreaterThan(10)
})

it('a reorg takes back dust with the close that collected it', async () => {
  const made = await world.open(usd('10'))
  const held = await world.about(made, 'take', { amount: String(usd('9.95')) })
  await takeBack(made, () => world.aboutHeld(held, 'prove'))
  expect(await expectBooks(world, made)).toMatchObject({ phase: 'completed', dust: usd('0.05') })
})

it('a reorg takes the deposit itself back: the order waits for it again', async () => {
  const made = await world.open(usd('80'))
  await undo()
  const order = await eventually(
    () => world.readOrder(made),
    ({ depositId }) => depositId === null,
  )
  expect(order).toMatchObject({ phase: 'depositing', deposited: 0n, depositTx: null, recoverableAt: null })
})
