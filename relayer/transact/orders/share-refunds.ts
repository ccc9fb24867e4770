import type { Hash } from 'viem'
import { isBefore, type ChainPlace } from './order-state.ts'

/** A payment back to a depositor. */
export interface RefundCredit {
  at: ChainPlace
  txHash: Hash
  token: string
  /** Smallest unit. */
  amount: bigint
}

/** A deposit that was not filled in time. */
export interface OwedRefund {
  quoteId: string
  deposited: ChainPlace
  /** Seconds since 1970. */
  fillDeadline: number
  token: string
  /** Smallest unit. */
  amount: bigint
}

/** Most orders whose combinations are tried; a depositor usually has one open. */
const MOST_COMBINED = 10

/**
 * Matches payments to the refunded orders of one depositor. A bridge sums its debts to an address, and no payment names
 * its orders. A payment goes to the orders whose sum it is, the oldest first. Otherwise it goes to the oldest that it
 * covers, together with the rest of earlier payments.
 * @param credits In any order.
 */
export function shareRefunds(
  owed: readonly OwedRefund[],
  credits: readonly RefundCredit[],
): ReadonlyMap<string, RefundCredit> {
  const shared = new Map<string, RefundCredit>()
  const left = new Map<string, bigint>()
  const oldestFirst = owed.toSorted(
    (one, other) =>
      one.fillDeadline - other.fillDeadline || (isBefore(one.deposited, other.deposited) ? -1 : 1),
  )
  for (const credit of credits.toSorted((one, other) => (isBefore(one.at, other.at) ? -1 : 1))) {
    const { token, amount, at } = credit
    const waiting = oldestFirst.filter(
      (order) => order.token === token && !shared.has(order.quoteId) && isBefore(order.deposited, at),
    )
    const exact = findSum(waiting.slice(0, MOST_COMBINED), amount)
    if (exact) {
      for (const { quoteId } of exact) shared.set(quoteId, credit)
      continue
    }
    let rest = amount + (left.get(token) ?? 0n)
    for (const order of waiting) {
      if (order.amount > rest) continue
      rest -= order.amount
      shared.set(order.quoteId, credit)
    }
    left.set(token, rest)
  }
  return shared
}

/** Finds orders whose debts add up to an amount; of several choices one with the oldest. Null without any. */
function findSum(orders: readonly OwedRefund[], amount: bigint): OwedRefund[] | null {
  if (amount === 0n) return []
  const [first, ...others] = orders
  if (!first || amount < 0n) return null
  const withFirst = findSum(others, amount - first.amount)
  return withFirst ? [first, ...withFirst] : findSum(others, amount)
}
