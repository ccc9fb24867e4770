import { z } from 'zod'
import { provenanceLabelGroups } from '../account/provenance/source-model.ts'
import { address, moment } from '../define/scalars.ts'
import { described, parameters, shape } from '../define/shape.ts'
import { offRampProgress } from '../transact/off-ramp-progress.ts'
import { bridgeProgress } from '../transact/submit-model.ts'
import { activityItem, lifecycle } from './model.ts'

export const pendingQuery = parameters({
  address: described(address.optional(), 'Only what this address of the account funds.'),
})

export const pendingActivities = shape('PendingActivities', 'What is under way, or ended moments ago.', {
  provenanceLabelGroups,
  pending: described(z.array(activityItem), 'The activities, the last submitted first.'),
})

export const pendingStatusBody = shape(
  'PendingStatusRequest',
  'The quotes that are asked about, 200 at most.',
  {
    quoteIds: described(z.array(z.uuid().toLowerCase()).max(200), 'Ids of submitted quotes, 200 at most.'),
  },
)

const pendingStatus = shape('PendingStatus', 'How a quote stands.', {
  quoteId: described(z.uuid(), 'Id of the quote that was asked about.'),
  txHash: described(
    z.string().nullable(),
    'Hash of the newest transaction that carries it; null until a node has one.',
  ),
  lifecycle,
  bridge: described(bridgeProgress.nullable(), 'The crossing; null for a quote that stays on its chain.'),
  offRamp: described(offRampProgress.nullable(), 'The cash-out; null for a quote that is none.'),
  updatedAt: described(moment, 'When the status last changed.'),
})

export const pendingStatuses = shape('PendingStatuses', 'How the quotes stand.', {
  statuses: described(
    z.array(pendingStatus),
    'One entry per pending quote; unknown ones and those that ended earlier are left out.',
  ),
})
