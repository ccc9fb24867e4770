import { ownAddressNotFound } from '../../relayer/activity/errors.ts'
import { mapInSlices } from '../../relayer/concurrency/next-slice.ts'
import { accountNotFound } from '../../relayer/errors.ts'
import { describeGroups } from '../account/provenance/describe-source.ts'
import { accountQuery } from '../define/account-operation.ts'
import { describeItem } from './describe-activity.ts'
import { pendingActivities, pendingQuery, pendingStatusBody, pendingStatuses } from './pending-model.ts'

const section = 'Activity'

export const pendingOperations = [
  accountQuery({
    name: 'pendingActivities',
    field: 'pendingActivities',
    rest: 'GET /v1/accounts/{accountId}/activities/pending',
    isCostly: true,
    errors: [ownAddressNotFound],
    foreignAccount: accountNotFound,
    section,
    summary: 'What is under way',
    description:
      'What the account has submitted and is not confirmed, and what was confirmed or failed up to five minutes ago; what crosses to another chain stays until it has arrived or come back; newest first. 404 for an address that is not the account’s.',
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
    summary: 'How what is under way stands',
    description: 'Of quotes that are pending; unknown ones and those that are so no longer are left out.',
    input: { body: pendingStatusBody },
    output: pendingStatuses,
    run: async ({ path, body }, { services }) => ({
      statuses: await services.pendingActivity.statuses(path.accountId, body.quoteIds),
    }),
  }),
]
