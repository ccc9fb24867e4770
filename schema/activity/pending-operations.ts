import { ownAddressNotFound } from '../../relayer/activity/errors.ts'
import { mapInSlices } from '../../relayer/concurrency/next-slice.ts'
import { accountNotFound } from '../../relayer/errors.ts'
import { describeGroups } from '../account/provenance/describe-source.ts'
import { accountQuery } from '../define/account-operation.ts'
import { describeItem } from './describe-activity.ts'
import { z } from 'zod'
import { provenanceLabelGroups } from '../account/provenance/source-model.ts'
import { address, hash, moment } from '../define/scalars.ts'
import { described, parameters, shape } from '../define/shape.ts'
import { offRampProgress } from '../transact/off-ramp-progress.ts'
import { bridgeProgress } from '../transact/submit-model.ts'
import { activityItem, lifecycle } from './model.ts'

export const pendingQuery = parameters({
  address: described(address.optional(), 'Only what this address of the account funds.'),
})

export const pendingActivities = shape(
  'PendingActivities',
  'Activities that are pending or ended moments ago.',
  {
    provenanceLabelGroups,
    pending: described(z.array(activityItem), 'The activities, the last submitted first.'),
  },
)

const pendingStatusBody = shape('PendingStatusRequest', 'The quotes that are asked about, 200 at most.', {
  quoteIds: described(z.array(z.uuid().toLowerCase()).max(200), 'Ids of submitted quotes, 200 at most.'),
})

const pendingStatus = shape('PendingStatus', 'How a quote stands.', {
  quoteId: described(z.uuid(), 'Id of the quote that was asked about.'),
  txHash: described(
    hash.nullable(),
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

const section = 'Activity'

export const pendingOperations = [
  accountQuery({
    name: 'pendingActivities',
    instead: 'Account.pendingActivities',
    rest: 'GET /v1/accounts/{accountId}/activities/pending',
    isCostly: true,
    errors: [ownAddressNotFound],
    foreignAccount: accountNotFound,
    section,
    summary: 'Pending activities',
    description:
      'The account’s submitted and unconfirmed activities, and those confirmed or failed within five minutes; a transfer to another chain stays until it has arrived or come back; newest first. 404 for an address that is not the account’s.',
    input: { query: pendingQuery },
    output: pendingActivities,
    run: async ({ path, query }, { services }) => {
      const { items, groups } = await services.pendingActivity.list(path.accountId, query.address)
      return {
        provenanceLabelGroups: describeGroups(groups),
        pending: await mapInSlices(items, describeItem),
      }
    },
  }),
  accountQuery({
    name: 'pendingActivityStatus',
    field: 'pendingActivityStatus',
    rest: 'POST /v1/accounts/{accountId}/activities/pending/status',
    limit: 60,
    foreignAccount: accountNotFound,
    section,
    summary: 'Progress of pending activities',
    description: 'Of quotes that are pending; unknown ones and those that are so no longer are left out.',
    input: { body: pendingStatusBody },
    output: pendingStatuses,
    run: async ({ path, body }, { services }) => ({
      statuses: await services.pendingActivity.statuses(path.accountId, body.quoteIds),
    }),
  }),
]
