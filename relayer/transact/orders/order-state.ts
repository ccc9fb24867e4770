import type { Address, Hash } from 'viem'

/**
 * How an order stands. pending: its deposit is not final. confirmed_source: it waits to be filled. completed, refunded,
 * failed: ends, as long as no reorg takes back what made them. expired: nobody may fill it any more, and it waits for its
 * refund.
 */
export type OrderStatus = 'pending' | 'confirmed_source' | 'completed' | 'expired' | 'refunded' | 'failed'

/** Statuses that nothing but a reorg changes. */
export const ENDED_ORDERS: ReadonlySet<OrderStatus> = new Set(['completed', 'refunded', 'failed'])

/** What the chains say of an order. */
export interface OrderState {
  status: OrderStatus
  /** Transactions are named as soon as they are indexed, and are final when the status says so. */
  depositTx: Hash | null
  fillTx: Hash | null
  refundTx: Hash | null
  /** What the recipient got, or what was paid back; smallest unit. */
  arrived: { token: Address; amount: bigint } | null
  /** Blocks from which on the status changes by itself: they make an event final. */
  originDue: bigint | null
  destinationDue: bigint | null
}

/** How far a chain is known for certain. */
export interface FinalHead {
  block: bigint
  /** Its time, seconds since 1970; null where it is not kept. */
  time: number | null
}

/** A place in a chain. */
export interface ChainPlace {
  block: bigint
  logIndex: number
}

/** Whether one place comes before another. */
export const isBefore = (one: ChainPlace, other: ChainPlace): boolean =>
  one.block === other.block ? one.logIndex < other.logIndex : one.block < other.block
