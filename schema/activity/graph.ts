import type { z } from 'zod'
import { demandFollower } from '../define/access.ts'
import type { OperationContext } from '../define/context.ts'
import { createEncoder } from '../define/encode.ts'
import { provenanceLabelGroup } from '../account/provenance/source-model.ts'
import { operationComplexity } from '../graph/operation-complexity.ts'
import type { GraphFeature } from '../graph/graph-feature.ts'
import { pageInfoOf } from '../graph/page-info.ts'
import type { ActivityItem } from '../../relayer/activity/activity.ts'
import { describeListed } from './describe-activity.ts'
import { listedActivity } from './model.ts'
import { activityOperations } from './operations.ts'

type Listed = z.input<typeof listedActivity>

const encodeListed = createEncoder(listedActivity)

/** Activities that a subscriber receives at once at most; a client that was away longer reads the list. */
const NEWEST = 50
/** Hashes that are remembered, so that no activity is sent twice. */
const REMEMBERED = 1_000

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
  const readNewest = async () => {
    const query = { limit: NEWEST, cursor: undefined, hideLikelySpam: false }
    return (await services.activity.list(accountId, query)).items
  }
  const changes = services.accountChanges.follow(accountId, signal)
  // The subscription is active from the first step; activities that exist by then are not new.
  let next = changes.next()
  const told = new Set((await readNewest()).map(keyOf))
  for (;;) {
    const { done } = await next
    if (done) return
    next = changes.next()
    for (const added of (await readNewest()).toReversed()) {
      if (told.has(keyOf(added))) continue
      told.add(keyOf(added))
      yield encodeListed(describeListed(added))
    }
    for (const oldest of told) {
      if (told.size <= REMEMBERED) break
      told.delete(oldest)
    }
  }
}

const keyOf = ({ chainId, txHash, quoteId, kind }: ActivityItem) =>
  kind === 'INCOGNITO_SEND' || txHash === null ? `${quoteId}` : `${chainId}:${txHash}`
