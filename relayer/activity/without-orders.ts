import type { OrderShare } from '../../db/activity/order-transactions.ts'
import type { TransferRow } from '../../db/chain/indexer/rows.ts'

/**
 * Removes the transfers of a transaction that belong to orders which it filled or refunded. A transfer of exactly the
 * due amount belongs to the order; without one, the largest transfers that fit do.
 */
export function withoutOrders(
  transfers: readonly TransferRow[],
  shares: readonly OrderShare[],
): readonly TransferRow[] {
  const theirs = new Set<TransferRow>()
  for (const { to, token, amount } of shares) {
    const candidates = transfers.filter((transfer) => transfer.to === to && transfer.token === token)
    const exact = candidates.find((transfer) => transfer.amount === amount)
    if (exact) theirs.add(exact)
    if (exact) continue
    let left = amount
    for (const transfer of candidates.toSorted((one, other) => (one.amount > other.amount ? -1 : 1))) {
      if (left !== null && transfer.amount > left) continue
      if (left !== null) left -= transfer.amount
      theirs.add(transfer)
    }
  }
  return transfers.filter((transfer) => !theirs.has(transfer))
}
