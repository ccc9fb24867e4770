import type { DatabasePool } from 'slonik'
import { listCashAmong, listDueCash, listFailedCash, listOpenCash } from '../../../db/transact/cash-orders.ts'
import type { OrderBook } from '../orders/order-follower.ts'
import type { OrderChains } from '../orders/review-orders.ts'
import type { CashEventRow } from '../../../db/chain/indexer/rows.ts'
import { readFinalHeads } from '../../../db/transact/bridge-orders.ts'
import {
  lockCashOrdersOf,
  readCashDeposits,
  readCashEvents,
  writeCashOrders,
  type CashState,
  type FollowedCashOrder,
} from '../../../db/transact/followed-cash-orders.ts'
import { followCashOrder } from './follow-cash-order.ts'

/** Creates the order book of cash-outs. */
export const createCashBook = (database: DatabasePool, chains: OrderChains): OrderBook => ({
  name: 'cash-outs',
  listAmong: (addresses) => listCashAmong(database, addresses),
  listDue: (head, page) => listDueCash(database, head, page),
  listFailed: (limit) => listFailedCash(database, limit),
  listOpen: (page) => listOpenCash(database, page),
  review: (depositors) => reviewCashOrders(database, chains, depositors),
})

/**
 * Recomputes the state of all cash-outs of these depositors and writes the changes, in six queries whatever
 * their number.
 * @returns The quotes whose cash-outs have changed.
 */
async function reviewCashOrders(
  database: DatabasePool,
  chains: OrderChains,
  depositors: readonly string[],
): Promise<readonly string[]> {
  if (depositors.length === 0) return []
  return database.transaction(async (transaction) => {
    const orders = await lockCashOrdersOf(transaction, depositors)
    // Heads are read first: an event indexed in the meantime then counts, but not as final.
    const heads = await readFinalHeads(transaction, chains)
    const deposits = matchDeposits(
      orders,
      await readCashDeposits(
        transaction,
        orders.flatMap((order) => placeOf(order) ?? []),
      ),
    )
    const events = Map.groupBy(await readCashEvents(transaction, [...deposits.values()]), nameOf)
    const headOf = new Map(heads.map((head) => [head.chainId, head]))
    const found = orders.flatMap((order) => {
      const deposit = deposits.get(order.quoteId)
      const own = deposit ? (events.get(nameOf(deposit)) ?? []) : []
      const state = followCashOrder(order, own, headOf.get(order.chainId) ?? null)
      return isNews(order, state) ? [{ quoteId: order.quoteId, ...state }] : []
    })
    await writeCashOrders(transaction, found)
    return found.map(({ quoteId }) => quoteId)
  })
}

const nameOf = ({ chainId, escrow, depositId }: CashEventRow) => `${chainId} ${escrow} ${depositId}`

/** The transaction that holds the deposit: the execution of our intent, or the fill of the bridge order. */
function placeOf({ chainId, executedTx, bridge, depositor }: FollowedCashOrder) {
  const txHash = bridge ? bridge.fillTx : executedTx
  return txHash && { chainId, txHash, depositor, isFilled: bridge !== null }
}

/**
 * Finds the deposit of each order: in its transaction, with the configured escrow, and with every member as
 * signed. The depositor alone proves nothing, because anybody can deposit for an address.
 */
function matchDeposits(
  orders: readonly FollowedCashOrder[],
  deposits: readonly CashEventRow[],
): Map<string, CashEventRow> {
  const taken = new Set<CashEventRow>()
  return new Map(
    orders.flatMap((order) => {
      const place = placeOf(order)
      const deposit = deposits.find(
        (one) =>
          one.chainId === place?.chainId &&
          one.txHash === place.txHash &&
          one.escrow === order.escrow &&
          one.depositKey === order.depositKey &&
          !taken.has(one),
      )
      if (!deposit) return []
      taken.add(deposit)
      return [[order.quoteId, deposit] as const]
    }),
  )
}

const isNews = (order: FollowedCashOrder, state: CashState): boolean =>
  (Object.keys(state) as (keyof CashState)[]).some(
    (name) => order[name]?.valueOf() !== state[name]?.valueOf(),
  )
