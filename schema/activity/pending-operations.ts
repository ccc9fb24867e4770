import { accountPath } from '../define/account-path.ts'
import { defineOperation } from '../define/operation.ts'
import { describeItem } from './describe-activity.ts'
import { pendingActivities, pendingQuery, pendingStatusBody, pendingStatuses } from './pending-model.ts'

const section = 'Activity'

export const pendingOperations = [
  defineOperation({
    name: 'pendingActivities',
    kind: 'query',
    field: 'pendingActivities',
    rest: 'GET /v1/accounts/{accountId}/activities/pending',
    status: 200,
    access: 'bearer',
    errors: [400, 401, 404, 503],
    section,
    summary: 'What is under way',
    description:
      'What the account has submitted and is not confirmed, and what was confirmed or failed up to five minutes ago; newest first. 404 for an address that is not the account’s.',
    input: { path: accountPath, query: pendingQuery },
    output: pendingActivities,
    run: async ({ path, query }, { services }) => ({
      provenanceLabelGroups: null,
      pending: (await services.pendingActivity.list(path.accountId, query.address)).map(describeItem),
    }),
  }),
  defineOperation({
    name: 'pendingActivityStatus',
    kind: 'query',
    field: 'pendingActivityStatus',
    rest: 'POST /v1/accounts/{accountId}/activities/pending/status',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 404, 429, 503],
    section,
    summary: 'How what is under way stands',
    description: 'Of quotes that are pending; unknown ones and those that are so no longer are left out.',
    input: { path: accountPath, body: pendingStatusBody },
    output: pendingStatuses,
    run: async ({ path, body }, { services }) => ({
      // No quote crosses to another chain yet.
      statuses: (await services.pendingActivity.statuses(path.accountId, body.quoteIds)).map((status) => ({
        ...status,
        bridge: null,
      })),
    }),
  }),
]
