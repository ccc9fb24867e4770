import { z } from 'zod'
import { skipUnseen } from '../../../relayer/account/deposit-review/errors.ts'
import { REVIEW_STATUSES } from '../../../relayer/account/deposit-review/review-facts.ts'
import { serverBusy } from '../../../relayer/errors.ts'
import { accountMutation, accountQuery } from '../../define/account-operation.ts'
import { describeReview, reviewCursor } from './describe-review.ts'
import {
  restoredSkip,
  reviewPage,
  reviewQuery,
  reviewSeen,
  reviewSummary,
  skipBody,
  skipPath,
  writtenSkip,
} from './model.ts'

const section = 'Deposit review'
const tabs = z.enum(REVIEW_STATUSES)

export const depositReviewOperations = [
  accountQuery({
    name: 'depositReviewSummary',
    field: 'depositReviewSummary',
    rest: 'GET /v1/accounts/{accountId}/deposit-review/summary',
    isCostly: true,
    limit: 60,
    errors: [serverBusy],
    section,
    summary: 'How much there is to review',
    description: 'Counts the addresses whose funds the account has not decided about.',
    output: reviewSummary,
    run: async ({ path }, { services }) => {
      const { counts, unseen } = await services.depositReview.summarize(path.accountId)
      return {
        needsReviewCount: counts.needsReview,
        unseenNeedsReview: unseen.length,
        markers: unseen.map((address) => ({ address })),
      }
    },
  }),
  accountQuery({
    name: 'depositReview',
    instead: 'Account.review',
    rest: 'GET /v1/accounts/{accountId}/deposit-review',
    isCostly: true,
    limit: 60,
    errors: [serverBusy],
    section,
    summary: 'Received payments and their review',
    description:
      'Addresses with a trusted receipt, the newest first. With the snapshotId of an earlier page, members, order, groups and counts stay as they were for 30 seconds, in every instance; amounts and prices are those of now. A snapshotId that has expired or is not known builds a new snapshot; the cursor goes on where it was.',
    input: { query: reviewQuery },
    output: reviewPage,
    run: async ({ path, query }, { services }) => {
      const limit = Math.min(Math.max(query.limit ?? 50, 1), 200)
      const page = await services.depositReview.list(path.accountId, {
        snapshotId: query.snapshotId ?? null,
        tab: tabs.safeParse(query.tab).data ?? null,
        cursor: reviewCursor.safeParse(query.cursor).data ?? null,
        limit,
      })
      return describeReview(page, limit)
    },
  }),
  accountMutation({
    name: 'markDepositReviewSeen',
    rest: 'POST /v1/accounts/{accountId}/deposit-review/seen',
    limit: 60,
    section,
    summary: 'Mark what came in as seen',
    description:
      'Counts what is indexed now as seen, chain by chain. The mark only moves forward; repeated, it changes nothing else. Receipts that are indexed later are unseen.',
    output: reviewSeen,
    run: async ({ path }, { services }) => ({
      seenAt: await services.depositReview.markSeen(path.accountId),
    }),
  }),
  accountMutation({
    name: 'skipDepositReview',
    rest: 'PUT /v1/accounts/{accountId}/deposit-review/skipped/{address}',
    limit: 60,
    errors: [skipUnseen],
    section,
    summary: 'Skip an address',
    description:
      'Holds until a trusted receipt is later than `lastReceivedAt`, or comes in a later block of the same second; spam does not end it. A body that names more than has happened, or an address that is not in the review, is refused (400 REVIEW_SKIP_UNSEEN); one that names less is stored and has no effect.',
    input: { path: skipPath, body: skipBody },
    output: writtenSkip,
    run: async ({ path, body }, { services }) => ({
      skip: await services.depositReview.skip(path.accountId, path.address, body),
    }),
  }),
  accountMutation({
    name: 'restoreDepositReview',
    rest: 'DELETE /v1/accounts/{accountId}/deposit-review/skipped/{address}',
    limit: 60,
    section,
    summary: 'Take a skip back',
    description: 'The address needs review again if it still holds something.',
    input: { path: skipPath },
    output: restoredSkip,
    run: async ({ path }, { services }) => ({
      restored: await services.depositReview.restore(path.accountId, path.address),
    }),
  }),
]
