import type { z } from 'zod'
import { demandFollower } from '../define/access.ts'
import type { OperationContext } from '../define/context.ts'
import { createEncoder } from '../define/encode.ts'
import { provenanceLabelGroup } from '../account/provenance/source-model.ts'
import { operationComplexity } from '../graph/operation-complexity.ts'
import type { GraphFeature } from '../graph/graph-feature.ts'
import { pageInfoOf } from '../graph/page-info.ts'
import { describeListed } from './describe-activity.ts'
import { listedActivity } from './model.ts'
import { activityOperations } from './operations.ts'

type Listed = z.input<typeof listedActivity>

const encodeListed = createEncoder(listedActivity)

interface Page {
  provenanceLabelGroups: unknown[]
  activity: Listed[]
  pagination: { nextCursor: string | null }
}

/** The account's activities as a connection, and the subscription to new ones. */
export const addActivityGraph: GraphFeature = (builder, types, { run, account }) => {
  const item = types.output(listedActivity, 'ListedActivity').type as never
  const group = types.output(provenanceLabelGroup, 'ProvenanceLabelGroup').type as never
  const list = activityOperations.find(({ name }) => name === 'accountActivities')
  if (!list) throw new Error('no operation lists activities')

  const connection = builder.objectRef<Page>('ActivityConnection').implement({
    description: 'A page of activities, newest first.',
    fields: (t) => ({
      nodes: t.field({
        type: [item],
        nullable: false,
        description: 'The activities.',
        resolve: ({ activity }) => activity as never,
      }),
      provenanceLabelGroups: t.field({
        type: [group],
        nullable: false,
        description: 'As `provenanceLabelGroups` of `activities`.',
        resolve: ({ provenanceLabelGroups }) => provenanceLabelGroups as never,
      }),
      pageInfo: t.field({
        type: pageInfoOf(builder),
        nullable: false,
        description: 'Whether more follows, and where.',
        resolve: ({ pagination: { nextCursor } }) => ({
          hasNextPage: nextCursor !== null,
          endCursor: nextCursor,
        }),
      }),
    }),
  })
  builder.objectField(account, 'activityConnection', (t) =>
    t.field({
      type: connection,
      nullable: true,
      description: 'As `activities`, in the form that GraphQL clients page through.',
      args: {
        first: t.arg.int({ defaultValue: 50, description: '1 to 500.' }),
        after: t.arg.string({ description: '`endCursor` of the page before.' }),
        hideLikelySpam: t.arg.boolean({ defaultValue: false, description: 'Leaves out likely spam.' }),
      },
      complexity: ({ first }) => operationComplexity(first),
      resolve: async ({ accountId }, { first, after, hideLikelySpam }, context) => {
        const query = {
          limit: first ?? 50,
          hideLikelySpam: hideLikelySpam ?? false,
          ...(after && { cursor: after }),
        }
        return (await run(list, { path: { accountId }, query }, context)) as Page
      },
    }),
  )
  builder.subscriptionField('activityAdded', (t) =>
    t.field({
      description:
        'Each activity of the account from now on, once it is confirmed by its chain. The groups that its provenance names are those of `activities`.',
      type: item,
      nullable: false,
      args: { accountId: t.arg.id({ required: true, description: 'That of the token.' }) },
      subscribe: async (_, given, context) =>
        followActivity(await demandFollower(given.accountId, context), context) as AsyncIterable<never>,
      resolve: (added) => added,
    }),
  )
}

async function* followActivity(
  accountId: string,
  { services, signal }: OperationContext,
): AsyncGenerator<Listed> {
  const changes = services.accountChanges.follow(accountId, signal)
  for await (const added of services.activity.follow(accountId, changes))
    yield encodeListed(describeListed(added))
}
