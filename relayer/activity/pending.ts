import type { Address, Hex } from 'viem'
import type { RelayStatus } from '../transact/transact.ts'
import type { CashProgress } from '../transact/cash-orders/cash-state.ts'
import type { OrderProgress } from '../transact/orders/order-state.ts'
import type { ActivityItem, ExplainedItems } from './activity.ts'

/** The lifecycle of a submitted quote: in flight until the indexer has seen all of it succeed. */
export interface PendingLifecycle {
  state: 'in_flight' | 'indexed' | 'failed'
  relayStatus: RelayStatus['status']
  /** Why it failed; null otherwise. */
  reason: string | null
  /** Block of the last of its transactions, once indexed. */
  blockNumber: bigint | null
}

/** A submitted quote in the form of an activity. */
export interface PendingItem extends Omit<ActivityItem, 'quoteId'> {
  quoteId: string
  lifecycle: PendingLifecycle
}

/** The progress of one quote; `txHash` is null until a node accepted its transaction. */
export interface PendingStatus {
  quoteId: string
  txHash: Hex | null
  lifecycle: PendingLifecycle
  /** Null for a quote that stays on its chain. */
  bridge: OrderProgress | null
  /** Null for a quote that is no cash-out. */
  offRamp: CashProgress | null
  updatedAt: Date
}

/**
 * The pending sends of accounts, and those that ended in the last five minutes. Every accountId has been checked to
 * be the caller's.
 */
export interface PendingActivity {
  /**
   * Lists pending items, newest first.
   *
   * @param address Only items that this address funds.
   * @throws ServiceError `not-found` for an address that is not the account's.
   */
  list(accountId: string, address: Address | undefined): Promise<ExplainedItems<PendingItem>>
  /** Returns the statuses of these quotes, as far as they are listed. */
  statuses(accountId: string, quoteIds: readonly string[]): Promise<readonly PendingStatus[]>
}
