import type { DatabasePool } from 'slonik'
import {
  listCashAmong,
  listDueCash,
  listFailedCash,
  listOpenCash,
} from '../../../db/transact/due-cash-orders.ts'
import type { OrderBook } from '../orders/order-book.ts'
import type { OrderChains } from '../orders/review-orders.ts'
import { reviewCashOrders } from './review-cash-orders.ts'

/** Creates the order book of cash-outs. */
export const createCashBook = (database: DatabasePool, chains: OrderChains): OrderBook => ({
  name: 'cash-outs',
  listAmong: (addresses) => listCashAmong(database, addresses),
  listDue: (head, page) => listDueCash(database, head, page),
  listFailed: (limit) => listFailedCash(database, limit),
  listOpen: (page) => listOpenCash(database, page),
  review: (depositors) => reviewCashOrders(database, chains, depositors),
})
