import type {
  AssetFacts,
  AssetStatus,
  DepositFact,
  ReviewStatus,
  Skip,
  StatusReason,
} from './review-facts.ts'

/** The facts that decide the status of one token at an address, or of all its tokens together. */
export interface ReviewStanding {
  /** True if the address holds something, free or reserved by a quote. */
  isHeld: boolean
  isUnderWay: boolean
  isDeclined: boolean
  isApproved: boolean
}

/**
 * Judges an asset, or an address by all of its assets. A pending deposit comes first, because a decision would come
 * too early. A declined deposit needs review even if the address is empty, because it waits to be recovered.
 * @returns null if it is not in review: its funds went another way.
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

/** Judges an address. Only an address that needs review can be skipped. */
export function judgeAddress(standing: ReviewStanding & { isSkipped: boolean }): ReviewStatus | null {
  const status = judgeStanding(standing)
  return status === 'needsReview' && standing.isSkipped ? 'skipped' : status
}

/** The status of an asset, and why it needs review; the reason is null in every other status. */
export interface AssetReview {
  status: AssetStatus
  reason: StatusReason | null
}

/** Judges one token at one address. @returns null if it is no asset of the review. */
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

/** Returns the reason by the last event; a receive after a failure or recovery makes the funds new again. */
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

/** True if a skip names at most what has happened: the owner cannot have seen a later receipt or a larger count. */
export const namesWhatHappened = (skip: Skip, seen: Skip) =>
  skip.lastReceivedAt <= seen.lastReceivedAt && skip.rawReceiveCount <= seen.rawReceiveCount
