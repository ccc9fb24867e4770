import type { MovingTransaction } from './movements.ts'

/**
 * Orders the transactions of several chains for tracing. Each chain keeps its own order, and chains are merged by
 * time. A departure comes before its delivery on another chain, whatever their clocks say.
 *
 * @param transactions Sorted by time, with each chain in its own order.
 */
export function orderTransactions(transactions: readonly MovingTransaction[]): readonly MovingTransaction[] {
  const places = new Map(transactions.map((transaction, place) => [transaction, place]))
  const placeOf = (transaction: MovingTransaction) => places.get(transaction) ?? 0
  const queues = [...Map.groupBy(transactions, ({ chainId }) => chainId).values()].map((all) => ({
    all,
    next: 0,
  }))
  const expected = new Set(transactions.flatMap(({ departs }) => departs))
  const isReady = ({ departs, delivers }: MovingTransaction) =>
    delivers.every(({ orderId }) => departs.includes(orderId) || !expected.has(orderId))

  const ordered: MovingTransaction[] = []
  while (ordered.length < transactions.length) {
    const heads = queues
      .flatMap((queue) => {
        const head = queue.all[queue.next]
        return head ? [{ queue, head }] : []
      })
      .toSorted((a, b) => placeOf(a.head) - placeOf(b.head))
    // Chains wait for each other in a circle only if one of them is wrong; then time decides.
    const chosen = heads.find(({ head }) => isReady(head)) ?? heads[0]
    if (!chosen) break
    chosen.queue.next += 1
    ordered.push(chosen.head)
    for (const orderId of chosen.head.departs) expected.delete(orderId)
  }
  return ordered
}
