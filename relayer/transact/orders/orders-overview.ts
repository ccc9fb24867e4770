import type { DatabasePool } from 'slonik'
import { countOpenCash, type OpenCashCount } from '../../../db/transact/cash-figures.ts'
import {
  countOpenOrders,
  listOldestOrders,
  readRecentFills,
  type OpenOrder,
  type OpenOrderCount,
  type RecentFills,
} from '../../../db/transact/order-figures.ts'

/** How orders to other chains and cash-outs stand, for whoever runs the service. */
export interface OrdersOverview {
  /** Those that have not ended, by route and status. */
  open: readonly OpenOrderCount[]
  /** The oldest of them, oldest first. */
  oldest: readonly OpenOrder[]
  fills: readonly RecentFills[]
  /** Cash-outs that have not ended, by chain and phase. */
  cash: readonly OpenCashCount[]
}

/** As many fit on a page; the numbers count all. */
const SHOWN_ORDERS = 20
/** A destination chain that is final beyond the deadline says so itself within this time. */
const GRACE_SECONDS = 900

/** Reads how orders stand. An order is overdue when it has not ended although its time to be filled is over. */
export async function readOrdersOverview(database: DatabasePool): Promise<OrdersOverview> {
  const [open, oldest, fills, cash] = await Promise.all([
    countOpenOrders(database, GRACE_SECONDS),
    listOldestOrders(database, { graceSeconds: GRACE_SECONDS, limit: SHOWN_ORDERS }),
    readRecentFills(database),
    countOpenCash(database, GRACE_SECONDS),
  ])
  return { open, oldest, fills, cash }
}
