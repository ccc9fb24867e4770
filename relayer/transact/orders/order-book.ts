import type { DatabasePool } from 'slonik'
import {
  listDepositorsAmong,
  listDueDepositors,
  listFailedDepositors,
  listOpenDepositors,
  type FinalHeadRow,
} from '../../../db/transact/due-orders.ts'
import { reviewOrders, type OrderChains } from './review-orders.ts'

/**
 * Orders of one sort: queries for their depositors, and their review. Depositors are listed in the order of addresses.
 */
export interface OrderBook {
  /** Name in logs. */
  name: string
  /** Lists the depositors of orders that involve these addresses. */
  listAmong(addresses: readonly string[]): Promise<readonly string[]>
  /** Lists depositors whose orders a final block may have changed without an event. */
  listDue(head: FinalHeadRow, page: { after: string; limit: number }): Promise<readonly string[]>
  /** Lists depositors whose quotes failed without a deposit. */
  listFailed(limit: number): Promise<readonly string[]>
  /** Lists depositors whose orders are open, or ended less than `endedMs` ago. */
  listOpen(page: { after: string; limit: number; endedMs: number }): Promise<readonly string[]>
  /** Recomputes the orders of these depositors. @returns The quotes whose orders have changed. */
  review(depositors: readonly string[]): Promise<readonly string[]>
}

/** Creates the book of orders over a bridge. */
export const createBridgeBook = (database: DatabasePool, chains: OrderChains): OrderBook => ({
  name: 'orders',
  listAmong: (addresses) => listDepositorsAmong(database, addresses),
  listDue: (head, page) => listDueDepositors(database, head, page),
  listFailed: (limit) => listFailedDepositors(database, limit),
  listOpen: (page) => listOpenDepositors(database, page),
  review: (depositors) => reviewOrders(database, chains, depositors),
})
