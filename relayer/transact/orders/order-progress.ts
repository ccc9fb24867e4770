import type { Hex } from 'viem'
import type { OrderSummary } from '../../../db/transact/bridge-orders.ts'
import { ENDED_ORDERS, type OrderStatus } from './order-state.ts'

/** How a crossing to another chain stands, as all views of its quote say. */
export interface OrderProgress {
  bridgeStatus: OrderStatus
  /** Where it arrived, on the other chain. */
  destTxHash: Hex | null
  /** Where it was paid back. */
  refundTxHash: Hex | null
}

/** What a row says of its order; null for a quote that stays on its chain. */
export const progressOf = (order: OrderSummary | null): OrderProgress | null =>
  order && { bridgeStatus: order.status, destTxHash: order.fillTx, refundTxHash: order.refundTx }

/** Whether a quote has no order that is still under way. */
export const hasNoOpenOrder = (progress: OrderProgress | null): boolean =>
  progress === null || ENDED_ORDERS.has(progress.bridgeStatus)

/** Of an exchange over a bridge: partial where another token than the wanted one arrived. */
export function executionStatusOfOrder({ status, arrivedToken, outputToken }: OrderSummary) {
  if (status === 'refunded' || status === 'failed') return 'failed'
  if (status !== 'completed') return 'pending'
  return arrivedToken === outputToken ? 'succeeded' : 'partial'
}
