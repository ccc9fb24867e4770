import { z } from 'zod'
import { UNAVAILABLE_REASONS } from '../../../relayer/account/deposit-review/judge-review.ts'
import { REVIEW_STATUSES } from '../../../relayer/account/deposit-review/review-facts.ts'
import { provenanceSource } from '../provenance/source-model.ts'
import { receiveSummary } from '../receive-summary.ts'
import { accountPath } from '../../define/account-operation.ts'
import { address, amount, chainId, dollars, hash, moment } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'

const count = z.int()
/** A group of the review. */
export const reviewStatus = described(z.enum(REVIEW_STATUSES), 'A group of the review.', {
  id: 'ReviewStatus',
})

export const reviewQuery = parameters({
  snapshotId: described(
    z.string().optional(),
    'Of an earlier page: keeps order and groups. Valid for 30 seconds; any other builds a new snapshot.',
  ),
  tab: described(
    z.string().optional(),
    'needsReview, inProgress, done or skipped; all of them for anything else.',
    { graph: { type: reviewStatus.optional() } },
  ),
  cursor: described(
    z.string().optional(),
    '`nextCursor` of the page before; anything else is the first page.',
  ),
  limit: described(z.int().optional(), 'Entries of a page, brought to 1 to 200; 50 unless given.'),
})

export const skipPath = parameters({
  ...accountPath.shape,
  address: described(address, 'The account’s address that is skipped.'),
})

export const skipBody = shape('NewReviewSkip', 'The state of the skipped address that the client has seen.', {
  lastReceivedAt: described(moment, '`lastReceivedAt` of the item.'),
  rawReceiveCount: described(z.int().nonnegative(), '`rawReceiveCount` of the item.'),
})

const skip = shape('ReviewSkip', 'An address that is skipped.', {
  address: described(address, 'The account’s address.'),
  lastReceivedAt: described(moment, 'A later trusted receipt ends the skip.'),
  rawReceiveCount: described(count, 'Receipts that the client had seen.'),
  skippedAt: described(moment, 'When it was skipped.'),
})

export const writtenSkip = shape('WrittenReviewSkip', 'The stored skip.', { skip })

export const restoredSkip = shape('RestoredReviewSkip', 'The result of a skip.', {
  restored: described(z.boolean(), 'True where there was a skip; it is gone.'),
})

export const reviewSeen = shape('ReviewSeen', 'The part of the review that the account has seen.', {
  seenAt: described(moment, 'When it looked last.'),
})

export const reviewSummary = shape('DepositReviewSummary', 'How much there is to review.', {
  needsReviewCount: described(count, 'Addresses that need review.'),
  unseenNeedsReview: described(count, 'Addresses with a trusted receipt that was not marked as seen.'),
  markers: described(
    z.array(
      shape('ReviewMarker', 'An address to mark as new.', { address: described(address, 'Of the account.') }),
    ),
    'The unseen addresses that need review, the newest receipt first.',
  ),
})

const assetStatus = z.enum(['needsReview', 'inProgress', 'done'])
const reason = described(
  z.enum(['new_funds', 'deposit_declined', 'deposit_failed', 'recovered']),
  'Why something needs review.',
  { id: 'ReviewReason' },
)
const statusReason = described(reason.nullable(), 'Why it needs review; null in other states.')
const receiveCount = described(count, 'Trusted receipts: no likely spam, and worth a cent or more.')
const rawReceiveCount = described(count, 'All receipts, likely spam included.')
const lastReceivedAt = described(moment, 'When the last trusted receipt was mined.')
const usdAmount = described(
  dollars.nullable(),
  'Value of the held funds, in US dollars; null without a price.',
)

const { trustedReceiveActionCount, trustedReceiveActionTypes } = receiveSummary.shape
const trustedReceives = { trustedReceiveActionCount, trustedReceiveActionTypes }

const unavailableReason = described(z.enum(UNAVAILABLE_REASONS), 'Why something cannot be converted now.', {
  id: 'ConvertUnavailableReason',
})

const poolDeposit = shape('ReviewPoolDeposit', 'The newest conversion that this asset went into.', {
  commitmentId: described(z.string().nullable(), 'Label of the deposit; null until it is mined.'),
  status: described(
    z.enum(['submitted', 'pending', 'approved', 'declined', 'recovered', 'failed']),
    'submitted: not mined yet. pending, approved, declined: the decision of the association set provider.',
    { id: 'ReviewDepositStatus' },
  ),
  txHash: described(
    hash.nullable(),
    'Transaction of the deposit, or of its recovery; null before it is mined.',
  ),
  amount: described(amount, 'Value of the note, in the smallest unit.'),
  updatedAt: described(moment, 'When it was submitted, mined, recovered or known to have failed.'),
})

const reviewAsset = shape('ReviewAsset', 'One token at one address.', {
  id: described(z.string(), 'Opaque; stable for address, chain and token.'),
  address: described(address, 'The account’s address that holds it.'),
  reviewStatus: described(assetStatus, 'How it stands.', { id: 'AssetReviewStatus' }),
  statusReason,
  chainId,
  chainName: described(z.string(), 'Name of the chain.'),
  tokenAddress: described(address, 'Contract of the token; the zero address is the native coin.'),
  tokenSymbol: described(z.string(), 'Symbol of the token.'),
  decimals: described(z.int(), 'Decimals of the token.'),
  logoUrl: described(z.string().nullable(), 'URL of the token’s picture; null without one.'),
  amount: described(amount, '`available` and `pending` together.'),
  available: described(amount, 'Held and free.'),
  pending: described(amount, 'Held and promised to a quote.'),
  receiveCount,
  rawReceiveCount,
  ...trustedReceives,
  lastReceivedAt,
  receiveTxHash: described(
    hash.nullable(),
    'Transaction of the last trusted receipt; null where it had none.',
  ),
  usdAmount,
  pricePerToken: described(dollars.nullable(), 'US dollars for a whole token; null when unknown.'),
  poolMinDeposit: described(amount.nullable(), 'Least that the token’s pool takes; null without a pool.'),
  canConvert: described(z.boolean(), 'Whether a pool takes what is available now.'),
  convertUnavailableReason: described(unavailableReason.nullable(), 'Why not; null where it can.'),
  poolDeposit: described(poolDeposit.nullable(), 'The newest conversion of it; null without one.'),
})

export const reviewItem = shape('DepositReviewItem', 'An address of the account that was paid.', {
  id: described(z.string(), 'Stable for the address.'),
  address: described(address, 'The account’s address.'),
  reviewStatus: described(reviewStatus, 'Its group in the snapshot.'),
  statusReason,
  provenanceSources: described(
    z.array(provenanceSource),
    'The ultimate sources of its assets, each once; empty if unknown.',
  ),
  assets: described(z.array(reviewAsset), 'The entries in review at the address, the most urgent first.'),
  primaryAsset: described(
    reviewAsset.nullable(),
    'The first of `assets`; null once nothing is left of them.',
  ),
  receiveCount,
  rawReceiveCount,
  ...trustedReceives,
  assetCount: described(count, 'Entries of `assets`.'),
  chainCount: described(count, 'Different chains among them.'),
  lastReceivedAt,
  usdAmount,
  canConvert: described(z.boolean(), 'Whether any of its assets can be converted now.'),
})

export const reviewCounts = shape('DepositReviewCounts', 'Addresses in each group.', {
  needsReview: described(count, 'Wait for a decision.'),
  inProgress: described(count, 'A conversion, approval or recovery is pending.'),
  done: described(count, 'Converted, nothing left.'),
  skipped: described(count, 'Skipped by the account.'),
})

export const unseenNeedsReview = described(
  count,
  'Addresses that need review for a receipt that was not marked as seen.',
)

export const reviewPage = shape('DepositReviewPage', 'A page of the review.', {
  snapshotId: described(z.string(), 'Pass it with the next page: order and groups stay for 30 seconds.'),
  items: described(z.array(reviewItem), 'The newest receipt first.'),
  counts: described(reviewCounts, 'In the snapshot, whatever the tab.'),
  pageInfo: described(
    shape('ReviewPageInfo', 'Start of the next page.', {
      nextCursor: described(z.string().nullable(), '`cursor` of the next page; null after the last.'),
      hasMore: described(z.boolean(), 'Whether there is another page.'),
      limit: described(count, 'Most entries of a page.'),
    }),
    'How the list goes on.',
  ),
  unseenNeedsReview,
})
