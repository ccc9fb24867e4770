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

/** Reasons why an asset cannot be converted now. */
export const UNAVAILABLE_REASONS = [
  'no_pool',
  'sending_not_offered',
  'likely_spam',
  'locked',
  'below_minimum',
  'fees_exceed_amount',
  'above_maximum',
  'pool_refreshing',
] as const
/** One of {@link UNAVAILABLE_REASONS}. */
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number]

/** The facts that decide whether an asset can be converted. Amounts are in the token's smallest unit. */
export interface ConversionFacts {
  isSpam: boolean
  /** True if the service sends on the chain. */
  isSending: boolean
  /** Null if the account has no pool of the token; `refreshing` while the pools are being read. */
  pool: { minDeposit: bigint; maxDeposit: bigint } | null | 'refreshing'
  available: bigint
  locked: bigint
  /** The part of `available` that would enter the pool after fees, vetting fee included; null while costs are unknown. */
  deposited: bigint | null
}

/** Returns why an asset cannot be converted now; null if it can. Permanent reasons come before passing ones. */
export function judgeConversion(facts: ConversionFacts): UnavailableReason | null {
  const { pool, available } = facts
  if (facts.isSpam) return 'likely_spam'
  if (!facts.isSending) return 'sending_not_offered'
  if (pool === null) return 'no_pool'
  if (pool === 'refreshing') return 'pool_refreshing'
  if (available === 0n && facts.locked > 0n) return 'locked'
  const least = pool.minDeposit > 0n ? pool.minDeposit : 1n
  if (available < least) return 'below_minimum'
  const deposited = facts.deposited ?? available
  if (deposited < least) return 'fees_exceed_amount'
  return deposited > pool.maxDeposit ? 'above_maximum' : null
}
