import { bytesToHex, type Hash } from 'viem'
import { expect, it } from 'vitest'
import type { CashEventRow } from '../../../../db/chain/indexer/rows.ts'
import type { FollowedCashOrder } from '../../../../db/transact/followed-cash-orders.ts'
import { followCashOrder } from '../../../../relayer/transact/cash-orders/follow-cash-order.ts'
import { randomAddress } from '../../chain/indexer/chain-calls.ts'

const hash = (byte: number): Hash => bytesToHex(new Uint8Array(32).fill(byte))
const RATE = 10n ** 18n
const order: FollowedCashOrder = {
  quoteId: '1',
  sourceChainId: 1,
  chainId: 1,
  escrow: randomAddress(),
  depositor: randomAddress(),
  amount: 100n,
  quotedRate: RATE,
  depositKey: hash(9),
  executedTx: null,
  hasFailed: false,
  bridge: null,
  phase: 'depositing',
  failureKind: null,
  depositId: null,
  depositTx: null,
  deposited: 0n,
  filled: 0n,
  released: 0n,
  withdrawn: 0n,
  dust: 0n,
  outstanding: 0n,
  acceptsBuyers: false,
  fiatAmount: 100n,
  buyerPaymentDueAt: null,
  recoverableAt: null,
  blockDue: null,
  timeDue: null,
}
const crossing = { status: 'pending' as const, depositTx: null, fillTx: null }

/** Events of one deposit, a block each, ten seconds apart, the first in block 1 at 1000 s. */
function happen(...events: readonly Partial<CashEventRow>[]): CashEventRow[] {
  return events.map((event, place) => ({
    chainId: 1,
    blockHash: hash(place),
    logIndex: 0,
    blockNumber: BigInt(place + 1),
    blockTime: new Date((1_000 + 10 * place) * 1_000),
    txHash: hash(place),
    kind: 'received',
    address: order.depositor,
    escrow: order.escrow,
    depositId: 7n,
    depositKey: null,
    amount: null,
    intentHash: null,
    expiresAt: null,
    rate: null,
    held: null,
    flag: null,
    ...event,
  }))
}
const received = { kind: 'received' as const, amount: 100n }
const locked = { kind: 'locked' as const, intentHash: hash(1), amount: 100n, expiresAt: 1_100 }
const paid = { kind: 'transferred' as const, intentHash: hash(1), amount: 100n, held: 100n }
const closed = { kind: 'closed' as const }
const seconds = (date: Date | null) => date && date.getTime() / 1_000

it("before there is a deposit, the quote and the crossing give the order's state", () => {
  const phaseOf = (changes: Partial<FollowedCashOrder>) => {
    const { phase, failureKind, fiatAmount } = followCashOrder({ ...order, ...changes }, [], null)
    return [phase, failureKind, fiatAmount]
  }
  expect(phaseOf({})).toEqual(['depositing', null, 100n])
  expect(phaseOf({ hasFailed: true })).toEqual(['failed', 'deposit_failed', 0n])
  // A payment that was executed cannot have failed, whatever else failed.
  expect(phaseOf({ hasFailed: true, executedTx: hash(3) })).toEqual(['depositing', null, 100n])
  expect(phaseOf({ bridge: crossing })).toEqual(['depositing', null, 100n])
  expect(phaseOf({ bridge: { ...crossing, depositTx: hash(2) } })).toEqual(['bridging', null, 100n])
  for (const status of ['confirmed_source', 'expired'] as const)
    expect(phaseOf({ bridge: { status, depositTx: hash(2), fillTx: null } })[0]).toBe('bridging')
  expect(phaseOf({ bridge: { ...crossing, status: 'failed' } })).toEqual(['failed', 'deposit_failed', 0n])
  expect(phaseOf({ bridge: { ...crossing, status: 'refunded' } })).toEqual(['failed', 'bridge_refunded', 0n])
  // Filled for good, without the deposit: the handler gave the token to the account.
  expect(phaseOf({ bridge: { ...crossing, status: 'completed', fillTx: hash(3) } })).toEqual([
    'failed',
    'bridge_fallback',
    0n,
  ])
})

it('the end counts once its block is final, and until then names the block to wait for', () => {
  const events = happen(received, locked, paid, closed)
  const early = followCashOrder(order, events, { block: 3n, time: 1_020 })
  expect(early).toMatchObject({ phase: 'partially_filled', filled: 100n, blockDue: 4n, recoverableAt: null })
  const late = followCashOrder(order, events, { block: 4n, time: 1_030 })
  expect(late).toMatchObject({ phase: 'completed', blockDue: null })
})

it('a hold counts to its last second, and is recoverable since then, however late the prune', () => {
  const events = happen(received, locked)
  const inTime = followCashOrder(order, events, { block: 2n, time: 1_100 })
  expect(inTime).toMatchObject({ phase: 'matched', outstanding: 100n, timeDue: 1_101 })
  expect(seconds(inTime.recoverableAt)).toBe(1_100)
  const tooLate = followCashOrder(order, events, { block: 2n, time: 1_101 })
  expect(tooLate).toMatchObject({ phase: 'listed', outstanding: 0n, timeDue: null, buyerPaymentDueAt: null })
  expect(seconds(tooLate.recoverableAt)).toBe(1_100)
  const unlocked = { kind: 'unlocked' as const, intentHash: hash(1), amount: 100n }
  const pruned = happen(received, locked, { ...unlocked, blockTime: new Date(9_000_000) })
  expect(seconds(followCashOrder(order, pruned, { block: 3n, time: 9_000 }).recoverableAt)).toBe(1_100)
  const cancelled = happen(received, locked, unlocked)
  expect(seconds(followCashOrder(order, cancelled, { block: 3n, time: 1_030 }).recoverableAt)).toBe(1_020)
})

it('a guardian may give a buyer more time', () => {
  const extended = { kind: 'extended' as const, intentHash: hash(1), expiresAt: 2_000 }
  const state = followCashOrder(order, happen(received, locked, extended), { block: 3n, time: 1_500 })
  expect(state).toMatchObject({ outstanding: 100n, timeDue: 2_001 })
  expect(seconds(state.buyerPaymentDueAt)).toBe(2_000)
})

it('while the chain is not indexed, nothing expires and nothing is final', () => {
  const state = followCashOrder(order, happen(received, locked), null)
  expect(state).toMatchObject({ phase: 'matched', outstanding: 100n })
  expect(followCashOrder(order, happen(received, locked, paid, closed), null).phase).toBe('partially_filled')
})

it('a deposit that stays open when it is empty ends all the same, and goes on after an addition', () => {
  const head = { block: 9n, time: 1_030 }
  expect(followCashOrder(order, happen(received, locked, paid), head).phase).toBe('completed')
  const added = { kind: 'added' as const, amount: 5n }
  expect(followCashOrder(order, happen(received, locked, paid, added), head)).toMatchObject({
    phase: 'partially_filled',
    deposited: 105n,
  })
})

it('a buyer who names an unmatched rate is counted at the quoted one', () => {
  const signaled = (rate: bigint) => ({ kind: 'signaled' as const, intentHash: hash(1), rate })
  const fiatOf = (rate: bigint) => [
    followCashOrder(order, happen(received, signaled(rate), locked), null).fiatAmount,
    followCashOrder(order, happen(received, signaled(rate), locked, paid), null).fiatAmount,
  ]
  expect(fiatOf(10n * RATE)).toEqual([1_000n, 1_000n])
  expect(fiatOf(10n * RATE + 1n)).toEqual([100n, 100n])
  expect(fiatOf(2n ** 256n - 1n)).toEqual([100n, 100n])
})

it('says whether buyers can still come, which a seller may end and begin again', () => {
  const accepting = (flag: boolean) => ({ kind: 'accepting' as const, flag })
  const acceptsBuyers = (...events: Partial<CashEventRow>[]) =>
    followCashOrder(order, happen(...events), null).acceptsBuyers
  expect(followCashOrder(order, [], null).acceptsBuyers).toBe(false)
  expect(acceptsBuyers(received)).toBe(true)
  expect(acceptsBuyers(received, accepting(false))).toBe(false)
  expect(acceptsBuyers(received, accepting(false), accepting(true))).toBe(true)
  expect(acceptsBuyers(received, locked, paid)).toBe(false)
})
