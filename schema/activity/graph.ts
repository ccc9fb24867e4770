import type { z } from 'zod'
import type { OperationContext } from '../define/context.ts'
import { createEncoder } from '../define/encode.ts'
import { address } from '../define/scalars.ts'
import { provenanceLabelGroup } from '../account/provenance/source-model.ts'
import { addAccountSubscription } from '../graph/add-account-subscription.ts'
import { connectionOf, pageArguments, pageComplexity, readConnection } from '../graph/connections.ts'
import type { GraphBuilder } from '../graph/builder.ts'
import type { TypeMapper } from '../graph/shape-to-type.ts'
import { operationComplexity } from '../graph/operation-complexity.ts'
import type { GraphFeature } from '../graph/graph-feature.ts'
import { activityOf, type ActivityValue } from './activity-node.ts'
import { describeFacts } from './describe-activity.ts'
import { activityFacts, type activityFactsPage, type pendingFacts } from './facts-model.ts'
import { listFacts, listPendingFacts } from './facts-operations.ts'

/** Largest page of activities. */
const MOST = 500

const encodeFacts = createEncoder(activityFacts)

/** The account's activities, those that are pending, and the subscription to new ones. */
export const addActivityGraph: GraphFeature = (builder, types, { run, account }) => {
  const activity = activityOf(builder)
  const connection = connectActivities(builder, types)
  builder.objectFields(account, (t) => ({
    activities: t.field({
      type: connection as never,
      nullable: true,
      description: 'Confirmed transactions that touched addresses of the account, newest first.',
      args: {
        ...pageArguments(t as never, MOST),
        hideLikelySpam: t.arg.boolean({
          defaultValue: false,
          description: 'Leaves out likely spam, before the page is counted.',
        }),
      },
      complexity: pageComplexity,
      resolve: ({ accountId }, { hideLikelySpam, ...page }: Record<string, unknown>, context) =>
        readConnection(page, MOST, async (limit, cursor) => {
          const query = { limit, hideLikelySpam: hideLikelySpam ?? false, ...(cursor && { cursor }) }
          const answer = await run(listFacts, { path: { accountId }, query }, context)
          const read = answer as z.input<typeof activityFactsPage>
          return { ...read, items: read.activity, nextCursor: read.pagination.nextCursor }
        }) as never,
    }),
    pendingActivities: t.field({
      type: [activity as never],
      nullable: true,
      description:
        'What the account has submitted and is not confirmed, and what was confirmed or failed up to five minutes ago; newest first.',
      args: {
        address: t.arg({
          type: types.input(address, 'Address').type as never,
          description: 'Only what this address of the account funds.',
        }),
      },
      complexity: () => operationComplexity(),
      resolve: async ({ accountId }, given: Record<string, unknown>, context) => {
        const query = given['address'] ? { address: given['address'] } : {}
        const answer = await run(listPendingFacts, { path: { accountId }, query }, context)
        return (answer as z.input<typeof pendingFacts>).pending as never
      },
    }),
  }))
  addAccountSubscription(builder, {
    name: 'activityAdded',
    description:
      'Each activity of the account from now on, once it is confirmed by its chain. The groups that its provenance names are those of `activities`.',
    deprecationReason: 'Use `accountEvents`: it resumes, and reports changes too.',
    type: activity as never,
    follow: followActivity,
  })
}

async function* followActivity(
  accountId: string,
  { services, signal }: OperationContext,
): AsyncGenerator<ActivityValue> {
  const changes = services.accountChanges.follow(accountId, signal)
  for await (const added of services.activity.follow(accountId, changes))
    yield encodeFacts(describeFacts(added))
}

/** Pages of activities, each with the groups of sources that its activities name. */
function connectActivities(builder: GraphBuilder, types: TypeMapper) {
  const group = types.output(provenanceLabelGroup, 'ProvenanceLabelGroup').type as never
  return connectionOf(builder, activityOf(builder), {
    name: 'Activity',
    of: 'the account’s activities, the newest first',
    fields: (t: { field(options: object): unknown }) => ({
      provenanceLabelGroups: t.field({
        type: [group],
        nullable: false,
        description: 'Every group of sources that activities of this page name by `labelGroupId`, once.',
        resolve: ({ page }: { page: z.input<typeof activityFactsPage> }) => page.provenanceLabelGroups,
      }),
    }),
  })
}
