import type { z } from 'zod'
import type { PendingItem, PendingLifecycle, PendingStatus } from '../../relayer/activity/pending.ts'
import type { activityItem } from './model.ts'
import type { pendingStatuses } from './pending-model.ts'
import { itemToWire } from './wire.ts'

export function pendingToWire({ lifecycle, txHash, ...item }: PendingItem): z.input<typeof activityItem> {
  const { executionStatus, ...rest } = item
  // The rest of an activity is as it will be once it is confirmed.
  const shown = itemToWire({ ...rest, txHash: txHash ?? '0x', executionStatus: 'succeeded' })
  return { ...shown, txHash, executionStatus, lifecycle: lifecycleToWire(lifecycle) }
}

export function statusToWire(status: PendingStatus): z.input<typeof pendingStatuses>['statuses'][number] {
  return {
    quoteId: status.quoteId,
    txHash: status.txHash,
    lifecycle: lifecycleToWire(status.lifecycle),
    bridge: null,
    updatedAt: status.updatedAt.toISOString(),
  }
}

function lifecycleToWire({ state, relayStatus, reason, blockNumber }: PendingLifecycle) {
  return {
    state,
    relayStatus,
    ...(reason !== null && { reason }),
    ...(blockNumber !== null && { blockNumber: String(blockNumber) }),
  }
}
