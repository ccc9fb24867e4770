import type { Address } from 'viem'
import type { Price } from '../../market/prices/prices.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { UnavailableReason } from './judge-conversion.ts'
import type { AssetFacts, AssetStatus, ReviewStatus, Skip, StatusReason } from './review-facts.ts'
import type { ReviewPosition } from './review-snapshots.ts'

/** One token at one address in the review. */
export interface ReviewAsset {
  facts: AssetFacts
  status: AssetStatus
  /** Null unless the asset needs review. */
  reason: StatusReason | null
  token: Token
  chainName: string
  price: Price | null
  /** Least deposit of the token's pool, in its smallest unit; null without a pool. */
  poolMinDeposit: bigint | null
  /** Null where the asset can be converted. */
  convertUnavailableReason: UnavailableReason | null
}

/** An address of the account in the review. */
export interface ReviewItem {
  address: Address
  status: ReviewStatus
  reason: StatusReason | null
  /** The asset that asks for the most first, of equal ones the most valuable. */
  assets: readonly ReviewAsset[]
  /** Likely spam included. */
  rawReceiveCount: number
  /** Of the last trusted receipt. */
  lastReceivedAt: Date
  /** Needs review for a trusted receipt that the account has not seen. */
  isUnseen: boolean
}

/** How many addresses stand how. */
export type ReviewCounts = Record<ReviewStatus, number>

/** A page of the review. */
export interface ReviewPage {
  snapshotId: string
  items: readonly ReviewItem[]
  counts: ReviewCounts
  nextCursor: ReviewPosition | null
  unseenNeedsReview: number
}

/** What a client asks of the review. */
export interface ReviewQuery {
  snapshotId: string | null
  /** Null for all. */
  tab: ReviewStatus | null
  cursor: ReviewPosition | null
  limit: number
}

/** Decides with an account which of its receipts it converts. Every accountId here has been checked to be the caller's. */
export interface DepositReview {
  /** How many addresses need review, how many of these are not seen yet, and which these are. */
  summarize(accountId: string): Promise<{
    needsReviewCount: number
    unseenNeedsReview: number
    unseen: readonly Address[]
  }>
  /**
   * A page, the newest receipt first. Who is in it, in which group and order is frozen for 30 seconds by the snapshot;
   * amounts and prices are those of now.
   */
  list(accountId: string, query: ReviewQuery): Promise<ReviewPage>
  /** Marks what is indexed now as seen; the mark never moves back. @returns when it was seen last. */
  markSeen(accountId: string): Promise<Date>
  /**
   * Skips an address until a trusted receipt is later than the skip says.
   * @throws ServiceError `bad-request` REVIEW_SKIP_UNSEEN.
   */
  skip(accountId: string, address: Address, skip: Skip): Promise<Skip & { address: Address; skippedAt: Date }>
  /** @returns whether there was a skip. */
  restore(accountId: string, address: Address): Promise<boolean>
}
