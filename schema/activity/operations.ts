import { accountPath } from '../define/account-path.ts'
import { defineOperation } from '../define/operation.ts'
import { describeItem, describeListed } from './describe-activity.ts'
import { activities, activitiesQuery, activitySearchAnswer, activitySearchBody } from './model.ts'

const section = 'Activity'
const DEFAULT_LIMIT = 100

export const activityOperations = [
  defineOperation({
    name: 'accountActivities',
    kind: 'query',
    field: 'activities',
    rest: 'GET /v1/accounts/{accountId}/activities',
    status: 200,
    access: 'bearer',
    errors: [400, 401, 404],
    section,
    summary: 'What happened',
    description: 'Confirmed transactions that touched addresses of the account, newest first.',
    input: { path: accountPath, query: activitiesQuery },
    output: activities,
    run: async ({ path, query }, { services }) => {
      const { limit, cursor, hideLikelySpam = false } = query
      const page = await services.activity.list(path.accountId, { limit, cursor, hideLikelySpam })
      return {
        provenanceLabelGroups: null,
        activity: page.items.map(describeListed),
        pagination: { limit, nextCursor: page.nextCursor },
      }
    },
  }),
  defineOperation({
    name: 'searchActivities',
    kind: 'query',
    field: 'activitySearch',
    rest: 'POST /v1/accounts/{accountId}/activities/search',
    status: 200,
    access: 'bearer',
    errors: [400, 401, 404, 503],
    section,
    summary: 'What happened with an address',
    description: 'The account’s transactions that directly involve one address, its own or somebody else’s.',
    input: { path: accountPath, body: activitySearchBody },
    output: activitySearchAnswer,
    run: async ({ path, body }, { services }) => {
      const limit = body.pagination?.limit ?? DEFAULT_LIMIT
      const { items, nextCursor, summary } = await services.activity.search(path.accountId, {
        address: body.address,
        hideLikelySpam: body.filters?.hideLikelySpam ?? false,
        hideExternal: body.filters?.hideExternal ?? false,
        limit,
        cursor: body.pagination?.cursor ?? undefined,
        summary: body.include?.summary ?? false,
      })
      return {
        provenanceLabelGroups: null,
        searchSummary: summary && { address: body.address, ...summary },
        activity: items.map(describeItem),
        pagination: { limit, nextCursor },
      }
    },
  }),
]
