import type { z } from 'zod'
import { demandFollower } from '../../define/access.ts'
import type { OperationContext } from '../../define/context.ts'
import { createEncoder } from '../../define/encode.ts'
import { shape } from '../../define/shape.ts'
import { operationComplexity } from '../../graph/operation-complexity.ts'
import type { GraphFeature } from '../../graph/graph-feature.ts'
import { pageInfoOf } from '../../graph/page-info.ts'
import type { reviewPage } from './model.ts'
import { reviewCounts, reviewItem, reviewStatus, unseenNeedsReview } from './model.ts'
import { depositReviewOperations } from './operations.ts'

type Page = z.input<typeof reviewPage>

const reviewChange = shape('DepositReviewChange', 'How much there is to review now.', {
  counts: reviewCounts,
  unseenNeedsReview,
})

const encodeChange = createEncoder(reviewChange)

/** Position and snapshot of the next page, as one text for connections. */
const endOf = ({ snapshotId, pageInfo: { nextCursor } }: Page) =>
  nextCursor === null ? null : `${snapshotId}.${nextCursor}`

/** The review as a connection, and the subscription to its counts. */
export const addDepositReviewGraph: GraphFeature = (builder, types, { run, account }) => {
  const item = types.output(reviewItem, 'DepositReviewItem').type as never
  const counts = types.output(reviewCounts, 'DepositReviewCounts').type as never
  const list = depositReviewOperations.find(({ name }) => name === 'depositReview')
  if (!list) throw new Error('no operation lists the deposit review')

  const connection = builder.objectRef<Page>('DepositReviewConnection').implement({
    description: 'A page of the review, the newest receipt first.',
    fields: (t) => ({
      nodes: t.field({
        type: [item],
        nullable: false,
        description: 'Addresses of the account that were paid.',
        resolve: ({ items }) => items as never,
      }),
      counts: t.field({
        type: counts,
        nullable: false,
        description: 'In the snapshot, whatever the tab.',
        resolve: (page) => page.counts as never,
      }),
      pageInfo: t.field({
        type: pageInfoOf(builder),
        nullable: false,
        description: 'Whether more follows, and where: `endCursor` names the snapshot too.',
        resolve: (page) => ({ hasNextPage: page.pageInfo.hasMore, endCursor: endOf(page) }),
      }),
    }),
  })
  builder.objectField(account, 'depositReviewConnection', (t) =>
    t.field({
      type: connection,
      nullable: true,
      description:
        'As `depositReview`, in the form that GraphQL clients page through: all pages that follow each other within 30 seconds are of one snapshot.',
      args: {
        first: t.arg.int({ defaultValue: 50, description: '1 to 200.' }),
        after: t.arg.string({
          description: '`endCursor` of the page before; anything else is the first page.',
        }),
        tab: t.arg({
          type: types.input(reviewStatus, 'ReviewStatus').type as never,
          description: 'Only this group; all of them unless given.',
        }),
      },
      complexity: ({ first }) => operationComplexity(first),
      resolve: async ({ accountId }, { first, after, tab }, context) => {
        const [snapshotId, cursor] = (after ?? '').split('.')
        const query = {
          limit: first ?? 50,
          ...(snapshotId && { snapshotId }),
          ...(cursor && { cursor }),
          ...(tab ? { tab: String(tab) } : {}),
        }
        return (await run(list, { path: { accountId }, query }, context)) as Page
      },
    }),
  )
  builder.subscriptionField('depositReviewChanged', (t) =>
    t.field({
      description:
        'How much the account has to review: now, and each time a number of it is another. A price that changes is told with the next other change.',
      type: types.output(reviewChange, 'DepositReviewChange').type as never,
      nullable: false,
      args: { accountId: t.arg.id({ required: true, description: 'That of the token.' }) },
      subscribe: async (_, given, context) =>
        followReview(await demandFollower(given.accountId, context), context) as AsyncIterable<never>,
      resolve: (change) => change,
    }),
  )
}

async function* followReview(
  accountId: string,
  { services, signal }: OperationContext,
): AsyncGenerator<z.input<typeof reviewChange>> {
  for await (const { counts, unseen } of services.depositReview.follow(accountId, signal))
    yield encodeChange({ counts, unseenNeedsReview: unseen.length })
}
