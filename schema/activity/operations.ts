import { mapInSlices } from '../../relayer/concurrency/next-slice.ts'
import { accountNotFound } from '../../relayer/errors.ts'
import { describeGroups } from '../account/provenance/describe-source.ts'
import { accountQuery } from '../define/account-operation.ts'
import { describeItem, describeListed } from './describe-activity.ts'
import {
  activities,
  activitiesQuery,
  activitySearchAnswer,
  activitySearchBody,
  activityCursor,
} from './model.ts'

const section = 'Activity'
const DEFAULT_LIMIT = 100

export const activityOperations = [
  accountQuery({
    name: 'accountActivities',
    instead: 'Account.activities',
    rest: 'GET /v1/accounts/{accountId}/activities',
    isCostly: true,
    foreignAccount: accountNotFound,
    section,
    summary: 'Activities',
    description: 'Confirmed transactions that touched addresses of the account, newest first.',
    input: { query: activitiesQuery },
    output: activities,
    run: async ({ path, query }, { services }) => {
      const { limit, cursor, hideLikelySpam = false } = query
      const page = await services.activity.list(path.accountId, { limit, cursor, hideLikelySpam })
      return {
        provenanceLabelGroups: describeGroups(page.groups),
        activity: await mapInSlices(page.items, describeListed),
        pagination: { limit, nextCursor: page.nextCursor && activityCursor.encode(page.nextCursor) },
      }
    },
  }),
  accountQuery({
    name: 'searchActivities',
    field: 'activitySearch',
    rest: 'POST /v1/accounts/{accountId}/activities/search',
    isCostly: true,
    foreignAccount: accountNotFound,
    section,
    summary: 'Activities with an address',
    description: 'The account’s transactions that directly involve one address, its own or another party’s.',
    input: { body: activitySearchBody },
    output: activitySearchAnswer,
    run: async ({ path, body }, { services }) => {
      const limit = body.pagination?.limit ?? DEFAULT_LIMIT
      const { items, groups, nextCursor, summary } = await services.activity.search(path.accountId, {
        address: body.address,
        hideLikelySpam: body.filters?.hideLikelySpam ?? false,
        hideExternal: body.filters?.hideExternal ?? false,
        limit,
        cursor: body.pagination?.cursor ?? undefined,
        summary: body.include?.summary ?? false,
      })
      return {
        provenanceLabelGroups: describeGroups(groups),
        searchSummary: summary && { address: body.address, ...summary },
        activity: await mapInSlices(items, describeItem),
        pagination: { limit, nextCursor: nextCursor && activityCursor.encode(nextCursor) },
      }
    },
  }),
]
