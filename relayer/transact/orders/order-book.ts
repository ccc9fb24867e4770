import type { DatabasePool } from 'slonik'
import {
  listDepositorsAmong,
  listDueDepositors,
  listFailedDepositors,
  listOpenDepositors,
  type FinalHeadRow,
} from '../../../db/transact/due-orders.ts'
import { reviewOrders, type OrderChains } from './review-orders.ts'

/** Orders of one sort, by whom they are found, and how they are reviewed. Depositors are listed in the order of addresses. */
export interface OrderBook {
  /** For logs. */
  name: string
  /** The depositors of orders that those addresses are part of. */
  listAmong(addresses: readonly string[]): Promise<readonly string[]>
  /** Whose orders a final block may have moved without an event. */
  listDue(head: FinalHeadRow, page: { after: string; limit: number }): Promise<readonly string[]>
  /** Whose quotes failed without a deposit. */
  listFailed(limit: number): Promise<readonly string[]>
  /** Whose orders are open, or ended less than so long ago. */
  listOpen(page: { after: string; limit: number; endedMs: number }): Promise<readonly string[]>
  /** Computes their orders anew. @returns The quotes whose orders have changed. */
  review(depositors: readonly string[]): Promise<readonly string[]>
}

/** The book of orders over a bridge. */
export const createBridgeBook = (database: DatabasePool, chains: OrderChains): OrderBook => ({
  name: 'orders',
  listAmong: (addresses) => listDepositorsAmong(database, addresses),
  listDue: (head, page) => listDueDepositors(database, head, page),
  listFailed: (limit) => listFailedDepositors(database, limit),
  listOpen: (page) => listOpenDepositors(database, page),
  review: (depositors) => reviewOrders(database, chains, depositors),
})
