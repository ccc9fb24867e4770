import type {
  AssetFacts,
  AssetStatus,
  DepositFact,
  ReviewStatus,
  Skip,
  StatusReason,
} from './review-facts.ts'

/** What decides how something stands: of one token at an address, or of all of them together. */
export interface ReviewStanding {
  /** Something is held, free or promised to a quote. */
  isHeld: boolean
  isUnderWay: boolean
  isDeclined: boolean
  isApproved: boolean
}

/**
 * Judges an asset, or an address by all of its assets. Whatever is under way comes first, since a decision would come too
 * early; a declined deposit needs review also where nothing is left at the address, since it waits to be recovered.
 * @returns null for what is not in review: its funds went another way.
 */
export function judgeStanding({
  isHeld,
  isUnderWay,
  isDeclined,
  isApproved,
}: ReviewStanding): AssetStatus | null {
  if (isUnderWay) return 'inProgress'
  if (isDeclined || isHeld) return 'needsReview'
  return isApproved ? 'done' : null
}

/** Judges an address. Only what needs review can be skipped. */
export function judgeAddress(standing: ReviewStanding & { isSkipped: boolean }): ReviewStatus | null {
  const status = judgeStanding(standing)
  return status === 'needsReview' && standing.isSkipped ? 'skipped' : status
}

/** How an asset stands, and why it needs review; the reason is null in every other status. */
export interface AssetReview {
  status: AssetStatus
  reason: StatusReason | null
}

/** Judges one token at one address. @returns null for what is no asset of the review. */
export function judgeAsset(
  facts: Pick<AssetFacts, 'available' | 'locked' | 'lastReceivedAt' | 'deposits'>,
): AssetReview | null {
  const { deposits } = facts
  const status = judgeStanding({
    isHeld: facts.available + facts.locked > 0n,
    isUnderWay: deposits.some(({ isUnderWay }) => isUnderWay),
    isDeclined: deposits.some((deposit) => deposit.status === 'declined'),
    isApproved: deposits.some((deposit) => deposit.status === 'approved'),
  })
  return status && { status, reason: status === 'needsReview' ? reasonOf(facts) : null }
}

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

/** Whether a skip names what has happened at most: a later time or a larger count was not seen by anybody. */
export const namesWhatHappened = (skip: Skip, seen: Skip) =>
  skip.lastReceivedAt <= seen.lastReceivedAt && skip.rawReceiveCount <= seen.rawReceiveCount
