import type {
  AssetFacts,
  AssetStatus,
  DepositFact,
  ReviewStatus,
  Skip,
  StatusReason,
} from './review-facts.ts'

/** How an asset stands, and why it needs review; the reason is null in every other status. */
export interface AssetReview {
  status: AssetStatus
  reason: StatusReason | null
}

/**
 * Judges one token at one address. Whatever is under way comes first, since a decision would come too early; a declined
 * deposit needs review also where nothing is left at the address, since it waits to be recovered.
 * @returns null for what is no asset of the review: its funds went another way.
 */
export function judgeAsset(facts: Pick<AssetFacts, 'available' | 'locked' | 'lastReceivedAt' | 'deposits'>) {
  const { deposits } = facts
  if (deposits.some(isUnderWay)) return { status: 'inProgress', reason: null } satisfies AssetReview
  const isDeclined = deposits.some(({ status }) => status === 'declined')
  if (isDeclined || facts.available + facts.locked > 0n) {
    return { status: 'needsReview', reason: reasonOf(facts) } satisfies AssetReview
  }
  const isConverted = deposits.some(({ status }) => status === 'approved')
  return isConverted ? ({ status: 'done', reason: null } satisfies AssetReview) : null
}

const isUnderWay = ({ status, isBeingRecovered }: DepositFact) =>
  status === 'submitted' || status === 'pending' || (isBeingRecovered && status !== 'recovered')

/** What happened last; a receive that is newer than a failure or recovery makes the funds new again. */
function reasonOf({
  deposits,
  lastReceivedAt,
}: Pick<AssetFacts, 'deposits' | 'lastReceivedAt'>): StatusReason {
  if (deposits.some(({ status }) => status === 'declined')) return 'deposit_declined'
  const ended = deposits
    .filter(({ status, updatedAt }) => isOver(status) && updatedAt >= lastReceivedAt)
    .toSorted((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime())
    .at(-1)
  if (!ended) return 'new_funds'
  return ended.status === 'recovered' ? 'recovered' : 'deposit_failed'
}

const isOver = (status: DepositFact['status']) => status === 'recovered' || status === 'failed'

/**
 * Judges an address by its assets: under way over needs review over skipped over done.
 * @param lastReceivedAt Of the last trusted receive of the address.
 * @returns null for an address without an asset in review.
 */
export function judgeAddress(
  assets: readonly AssetReview[],
  lastReceivedAt: Date,
  skip: Pick<Skip, 'lastReceivedAt'> | null,
): { status: ReviewStatus; reason: StatusReason | null } | null {
  const leading =
    assets.find(({ status }) => status === 'inProgress') ??
    assets.find(({ status }) => status === 'needsReview') ??
    assets.find(({ status }) => status === 'done')
  if (!leading) return null
  if (leading.status !== 'needsReview' || !skip || skip.lastReceivedAt < lastReceivedAt) return leading
  return { status: 'skipped', reason: null }
}

/** Whether a skip names what has happened at most: a later time or a larger count was not seen by anybody. */
export const namesWhatHappened = (skip: Skip, seen: Skip) =>
  skip.lastReceivedAt <= seen.lastReceivedAt && skip.rawReceiveCount <= seen.rawReceiveCount
