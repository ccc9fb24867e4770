import { z } from 'zod'
import { address } from '../define/wire-scalars.ts'
import { activityItem, lifecycle } from './model.ts'

export const pendingQuery = z.object({
  address: address.optional().meta({ description: 'Own address: only what it funds.' }),
})

export const pendingActivities = z
  .object({
    provenanceLabelGroups: z.array(z.unknown()).nullable(),
    pending: z.array(activityItem),
  })
  .meta({ id: 'PendingActivities', description: 'What is under way, or ended moments ago.' })

export const pendingStatusBody = z
  .object({ quoteIds: z.array(z.uuid().toLowerCase()).max(200) })
  .meta({ id: 'PendingStatusRequest', description: 'The quotes that are asked about, 200 at most.' })

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
            .meta({ id: 'PendingBridge', description: 'How the crossing stands.' })
            .nullable(),
          updatedAt: z.iso.datetime(),
        })
        .meta({ id: 'PendingStatus', description: 'How a quote stands.' }),
    ),
  })
  .meta({ id: 'PendingStatuses', description: 'How the quotes stand.' })
