import type { Hex } from 'viem'
import type { OrderSummary } from '../../../db/transact/bridge-orders.ts'
import { ENDED_ORDERS, type OrderStatus } from './order-state.ts'

/** State of a crossing to another chain in every view of its quote. */
export interface OrderProgress {
  bridgeStatus: OrderStatus
  /** Transaction of the arrival, on the other chain. */
  destTxHash: Hex | null
  /** Transaction of the refund. */
  refundTxHash: Hex | null
}

/** Returns the progress that a row of the quote holds; null for a quote that stays on its chain. */
export const progressOf = (order: OrderSummary | null): OrderProgress | null =>
  order && { bridgeStatus: order.status, destTxHash: order.fillTx, refundTxHash: order.refundTx }

/** True if a quote has no open order. */
export const hasNoOpenOrder = (progress: OrderProgress | null): boolean =>
  progress === null || ENDED_ORDERS.has(progress.bridgeStatus)

/** Execution status of an exchange over a bridge: partial if another token than the wanted one arrived. */
export function executionStatusOfOrder({ status, arrivedToken, outputToken }: OrderSummary) {
  if (status === 'refunded' || status === 'failed') return 'failed'
  if (status !== 'completed') return 'pending'
  return arrivedToken === outputToken ? 'succeeded' : 'partial'
}
