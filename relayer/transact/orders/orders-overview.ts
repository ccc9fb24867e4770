import type { DatabasePool } from 'slonik'
import {
  countOpenOrders,
  listOldestOrders,
  readRecentFills,
  type OpenOrder,
  type OpenOrderCount,
  type RecentFills,
} from '../../../db/transact/order-figures.ts'

/** How orders to other chains stand, for whoever runs the service. */
export interface OrdersOverview {
  /** Those that have not ended, by route and status. */
  open: readonly OpenOrderCount[]
  /** The oldest of them, oldest first. */
  oldest: readonly OpenOrder[]
  fills: readonly RecentFills[]
}

/** As many fit on a page; the numbers count all. */
const SHOWN_ORDERS = 20
/** A destination chain that is final beyond the deadline says so itself within this time. */
const GRACE_SECONDS = 900

/** Reads how orders stand. An order is overdue when it has not ended although its time to be filled is over. */
export async function readOrdersOverview(database: DatabasePool): Promise<OrdersOverview> {
  const [open, oldest, fills] = await Promise.all([
    countOpenOrders(database, GRACE_SECONDS),
    listOldestOrders(database, { graceSeconds: GRACE_SECONDS, limit: SHOWN_ORDERS }),
    readRecentFills(database),
  ])
  return { open, oldest, fills }
}
