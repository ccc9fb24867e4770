import type { z } from 'zod'
import type { Hex } from 'viem'
import { mapInSlices } from '../../relayer/concurrency/next-slice.ts'
import { describeGroups } from '../account/provenance/describe-source.ts'
import type { RunContext } from '../define/context.ts'
import type { InputOf } from '../define/operation.ts'
import { operationNamed, withAnswer } from '../graph/operation-named.ts'
import { describeFacts } from './describe-activity.ts'
import { activityFactsPage, findActivityPath, pendingFacts } from './facts-model.ts'
import { activityCursor, type activitiesQuery } from './model.ts'
import { activityOperations } from './operations.ts'
import { pendingOperations, type pendingQuery } from './pending-operations.ts'

type OfAccount<Query extends z.ZodType> = {
  path: { accountId: string }
  query: z.output<Query>
}

const list = operationNamed(activityOperations, 'accountActivities')

/** A page of an account's activities. */
export const listFacts = withAnswer(list, {
  output: activityFactsPage,
  run: async ({ path, query }: OfAccount<typeof activitiesQuery>, { services }: RunContext) => {
    const { limit, cursor, hideLikelySpam = false } = query
    const page = await services.activity.list(path.accountId, { limit, cursor, hideLikelySpam })
    return {
      provenanceLabelGroups: describeGroups(page.groups),
      activity: await mapInSlices(page.items, describeFacts),
      pagination: { limit, nextCursor: page.nextCursor && activityCursor.encode(page.nextCursor) },
    }
  },
})

/** One activity, or none. */
export const findFacts = withAnswer(list, {
  input: { path: findActivityPath },
  output: pendingFacts,
  run: async ({ path }: InputOf<{ path: typeof findActivityPath }>, { services }: RunContext) => {
    const { accountId, quoteId, chainId, txHash } = path
    const wanted = quoteId === undefined ? { chainId: chainId ?? 0, txHash: txHash as Hex } : { quoteId }
    const { items, groups } = await services.activity.find(accountId, wanted)
    return { provenanceLabelGroups: describeGroups(groups), pending: items.map(describeFacts) }
  },
})

/** The pending activities of an account. */
export const listPendingFacts = withAnswer(operationNamed(pendingOperations, 'pendingActivities'), {
  output: pendingFacts,
  run: async ({ path, query }: OfAccount<typeof pendingQuery>, { services }: RunContext) => {
    const { items, groups } = await services.pendingActivity.list(path.accountId, query.address)
    return {
      provenanceLabelGroups: describeGroups(groups),
      pending: await mapInSlices(items, describeFacts),
    }
  },
})
