import { z } from 'zod'
import { address } from '../wire-scalars.ts'
import { activityItem, lifecycle } from './model.ts'

export const pendingQuery = z.object({
  address: address.optional().meta({ description: 'Own address: only what it funds.' }),
})

export const pendingActivities = z
  .object({
    provenanceLabelGroups: z.array(z.unknown()).nullable(),
    pending: z.array(activityItem),
  })
  .meta({ id: 'PendingActivities' })

export const pendingStatusBody = z
  .object({ quoteIds: z.array(z.uuid().toLowerCase()).max(200) })
  .meta({ id: 'PendingStatusRequest' })

export const pendingStatuses = z
  .object({
    statuses: z.array(
      z
        .object({
          quoteId: z.uuid(),
          txHash: z.string().nullable(),
          lifecycle,
          bridge: z
            .object({
              bridgeStatus: z.string(),
              destTxHash: z.string().nullable(),
              refundTxHash: z.string().nullable(),
            })
            .meta({ id: 'PendingBridge' })
            .nullable(),
          updatedAt: z.iso.datetime(),
        })
        .meta({ id: 'PendingStatus' }),
    ),
  })
  .meta({ id: 'PendingStatuses' })
