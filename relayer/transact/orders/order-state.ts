import type { Hex } from 'viem'
import { bridgeStatus, type OrderSummary } from '../../../db/transact/bridge-orders.ts'

/** Every status of an order. */
export const ORDER_STATUSES = bridgeStatus.options
/** Final statuses: only a reorg changes them. */
const ENDED_ORDERS: ReadonlySet<OrderSummary['status']> = new Set(['completed', 'refunded', 'failed'])

/** Final head of a chain. */
export interface FinalHead {
  block: bigint
  /** Time of the block, seconds since 1970; null if it is not stored. */
  time: number | null
}

/** Position of an event in a chain. */
export interface ChainPlace {
  block: bigint
  logIndex: number
}

/** True if one position comes before another. */
export const isBefore = (one: ChainPlace, other: ChainPlace): boolean =>
  one.block === other.block ? one.logIndex < other.logIndex : one.block < other.block

/** State of a crossing to another chain in every view of its quote. */
export interface OrderProgress {
  bridgeStatus: OrderSummary['status']
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
