import type { DatabasePool } from 'slonik'
import {
  countOpenOrders,
  listOldestOrders,
  readRecentFills,
  type OpenOrder,
  type OpenOrderCount,
  type RecentFills,
  countOpenCash,
  type OpenCashCount,
} from '../../../db/transact/order-figures.ts'

/** Operator's overview of orders to other chains and of cash-outs. */
export interface OrdersOverview {
  /** Open orders, by route and status. */
  open: readonly OpenOrderCount[]
  /** The oldest open orders, oldest first. */
  oldest: readonly OpenOrder[]
  fills: readonly RecentFills[]
  /** Open cash-outs, by chain and phase. */
  cash: readonly OpenCashCount[]
}

/** The overview before the first read. */
export const NO_ORDERS: OrdersOverview = { open: [], oldest: [], fills: [], cash: [] }

/** Most orders in the list; the counts cover all. */
const SHOWN_ORDERS = 20
/** Time after the deadline within which a destination chain becomes final beyond it. */
const GRACE_SECONDS = 900

/** Reads the overview. An order is overdue if it has not ended although its time to be filled is over. */
export async function readOrdersOverview(database: DatabasePool): Promise<OrdersOverview> {
  const [open, oldest, fills, cash] = await Promise.all([
    countOpenOrders(database, GRACE_SECONDS),
    listOldestOrders(database, { graceSeconds: GRACE_SECONDS, limit: SHOWN_ORDERS }),
    readRecentFills(database),
    countOpenCash(database, GRACE_SECONDS),
  ])
  return { open, oldest, fills, cash }
}
