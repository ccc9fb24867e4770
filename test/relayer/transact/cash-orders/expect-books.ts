import { zeroAddress } from 'viem'
import { expect } from 'vitest'
import { peerEscrowAbi } from '../../../../relayer/chain/contracts/peer-escrow.ts'
import type { CashWorld, MadeCash } from './start-cash-world.ts'

/** The order's books are those of the escrow, to the unit. @returns The order. */
export async function expectBooks(world: CashWorld, made: MadeCash) {
  const order = await world.settle(made)
  const at = { address: world.peer.escrow, abi: peerEscrowAbi } as const
  const [deposit, [, expired]] = await Promise.all([
    world.reader.readContract({ ...at, functionName: 'getDeposit', args: [made.depositId] }),
    world.reader.readContract({ ...at, functionName: 'getExpiredIntents', args: [made.depositId] }),
  ])
  const { deposited, filled, withdrawn, dust, outstanding } = order
  const unsold = deposited - filled - withdrawn - dust
  expect({ unsold, outstanding }).toEqual({
    unsold: deposit.remainingDeposits + deposit.outstandingIntentAmount,
    outstanding: deposit.outstandingIntentAmount - expired,
  })
  expect(await world.balanceOf(made.depositor)).toBe(withdrawn)
  expect(deposit.depositor === zeroAddress).toBe(['completed', 'returned'].includes(order.phase))
  return order
}
