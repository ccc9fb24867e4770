import { checksumAddress, type Address } from 'viem'
import type { z } from 'zod'
import type { ReviewSummary } from '../../../relayer/account/deposit-review/deposit-review.ts'
import { addChangedId } from '../../graph/add-changed-id.ts'
import type { OperationContext } from '../../define/context.ts'
import { createEncoder } from '../../define/encode.ts'
import { shape } from '../../define/shape.ts'
import { addAccountSubscription } from '../../graph/add-account-subscription.ts'
import { addNode, type NodeRef } from '../../graph/add-node.ts'
import {
  connectionOf,
  pageArguments,
  pageComplexity,
  readConnection,
  type PageArguments,
} from '../../graph/connections.ts'
import type { GraphFeature, GraphNodes, GraphTools } from '../../graph/graph-feature.ts'
import { operationNamed } from '../../graph/operation-named.ts'
import type { reviewPage } from './model.ts'
import { reviewCounts, reviewItem, reviewStatus, unseenNeedsReview } from './model.ts'
import { depositReviewOperations } from './operations.ts'

type Page = z.input<typeof reviewPage>

/** Largest page of the review. */
const MOST = 200

/** The numbers of a review. */
export const reviewChange = shape('DepositReviewChange', 'How much there is to review now.', {
  counts: reviewCounts,
  unseenNeedsReview,
})

const encodeChange = createEncoder(reviewChange)

/** The numbers of a review in wire form. */
export const describeReviewCounts = ({ counts, unseen }: ReviewSummary) =>
  encodeChange({ counts, unseenNeedsReview: unseen.length })

const list = operationNamed(depositReviewOperations, 'depositReview')

/** A page, and the place of the next as one text: position and snapshot. */
async function readPage(
  run: GraphTools['run'],
  context: OperationContext,
  accountId: string,
  { limit, after, tab }: { limit: number; after: string | null; tab?: unknown },
) {
  const [snapshotId, cursor] = (after ?? '').split('.')
  const query = {
    limit,
    ...(snapshotId && { snapshotId }),
    ...(cursor && { cursor }),
    ...(tab ? { tab } : {}),
  }
  const page = (await run(list, { path: { accountId }, query }, context)) as Page
  const { nextCursor } = page.pageInfo
  return { ...page, nextCursor: nextCursor === null ? null : `${page.snapshotId}.${nextCursor}` }
}

/** `ReviewItem`, an address to review, is a node of its account. */
export const addReviewNodes: GraphNodes = (builder, types, { run }) => {
  addNode(builder, types, reviewItem, {
    name: 'ReviewItem',
    keyOf: ({ address }) => address,
    async loadOwn(accountId, keys, context) {
      const found = new Map<string, Page['items'][number]>()
      for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
        const page = await readPage(run, context, accountId, { limit: MOST, after })
        for (const item of page.items) if (keys.includes(item.address)) found.set(item.address, item)
        after = found.size < keys.length ? page.nextCursor : null
      }
      return keys.map((key) => found.get(key) ?? null)
    },
  })
}

/** The review as a connection, and the subscription to its counts. */
export const addDepositReviewGraph: GraphFeature = (builder, types, tools) => {
  const { run, account } = tools
  const counts = types.output(reviewCounts, 'DepositReviewCounts').type as never
  const connection = connectionOf(builder, types.output(reviewItem, 'ReviewItem').type as NodeRef, {
    name: 'ReviewItem',
    of: 'the account’s addresses that were paid, the newest receipt first',
    fields: (t: { field(options: object): unknown }) => ({
      counts: t.field({
        type: counts,
        nullable: false,
        description: 'In the snapshot, whatever the tab.',
        resolve: ({ page }: { page: Page }) => page.counts,
      }),
    }),
  })
  for (const mutation of ['skipDepositReview', 'restoreDepositReview'])
    addChangedId(builder, tools, {
      mutation,
      field: 'reviewItemId',
      typename: 'ReviewItem',
      description: '`id` of the item whose group is another now; null after an error.',
      keyOf: ({ given }) => checksumAddress(given['address'] as Address),
    })
  builder.objectField(account, 'review', (t) =>
    t.field({
      type: connection as never,
      nullable: true,
      description:
        'What came in, and what became of it. All pages that follow each other within 30 seconds are of one snapshot.',
      args: {
        ...pageArguments(t as never, MOST),
        tab: t.arg({
          type: types.input(reviewStatus, 'ReviewStatus').type as never,
          description: 'Only this group; all of them unless given.',
        }),
      },
      complexity: pageComplexity,
      resolve: ({ accountId }, { tab, ...page }: Record<string, unknown>, context) =>
        readConnection(page as PageArguments, MOST, (limit, after) =>
          readPage(run, context, accountId, { limit, after, tab }),
        ) as never,
    }),
  )
  addAccountSubscription(builder, {
    name: 'depositReviewChanged',
    description:
      'How much the account has to review: now, and each time a number of it is another. A changed price is reported with the next other change.',
    deprecationReason: 'Use `accountEvents`: it resumes.',
    type: types.output(reviewChange, 'DepositReviewChange').type,
    follow: followReview,
  })
}

async function* followReview(
  accountId: string,
  { services, signal }: OperationContext,
): AsyncGenerator<z.input<typeof reviewChange>> {
  for await (const summary of services.depositReview.follow(accountId, signal))
    yield describeReviewCounts(summary)
}
