import type { Hash } from 'viem'
import { expect } from 'vitest'
import type { FollowedCashOrder } from '../../../../db/transact/followed-cash-orders.ts'
import { expectBooks } from './expect-books.ts'
import type { CashWorld, MadeCash } from './start-cash-world.ts'

/** The fields that a reorg takes back and a repetition brings again; times are those of other blocks. */
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
export async function undoBlock(world: CashWorld): Promise<void> {
  await world.ask('anvil_reorg', 1, [])
  await world.ask('anvil_dropAllTransactions')
  await world.ask('evm_mine')
}

/** A step of one block: it changes the books, a reorg takes it back, and once more it does the same. */
export async function takeBack(world: CashWorld, made: MadeCash, step: () => Promise<Hash>): Promise<Hash> {
  const before = bookOf(await expectBooks(world, made))
  await step()
  const after = bookOf(await expectBooks(world, made))
  expect(after).not.toEqual(before)
  await undoBlock(world)
  expect(bookOf(await expectBooks(world, made))).toEqual(before)
  const again = await step()
  expect(bookOf(await expectBooks(world, made))).toEqual(after)
  return again
}
