import type { Address } from 'viem'
import type { Price } from '../../market/prices/prices.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { Source, TrustedReceives } from '../provenance/provenance.ts'
import type { UnavailableReason } from './judge-review.ts'
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
  /** Minimum deposit of the token's pool, in its smallest unit; null without a pool. */
  poolMinDeposit: bigint | null
  /** Null if the asset can be converted. */
  convertUnavailableReason: UnavailableReason | null
  /** Actions that brought the asset to the address. */
  receives: TrustedReceives
}

/** An address of the account in the review. */
export interface ReviewItem {
  address: Address
  status: ReviewStatus
  reason: StatusReason | null
  /** The most urgent asset first; among equals, the most valuable. */
  assets: readonly ReviewAsset[]
  /** Includes likely spam. */
  rawReceiveCount: number
  /** Time of the last trusted receipt. */
  lastReceivedAt: Date
  /** The original sources of the assets' funds: each once, in the order of their ids. */
  sources: readonly Source[]
  /** Actions that brought any asset to the address. */
  receives: TrustedReceives
}

/** Number of addresses by status. */
export type ReviewCounts = Record<ReviewStatus, number>

/** The state of an account's review. */
export interface ReviewSummary {
  counts: ReviewCounts
  /** Addresses that need review for an unseen trusted receipt, the newest receipt first. */
  unseen: readonly Address[]
}

/** A page of the review. */
export interface ReviewPage {
  snapshotId: string
  items: readonly ReviewItem[]
  counts: ReviewCounts
  nextCursor: ReviewPosition | null
  unseenNeedsReview: number
}

/** A client's query of the review. */
export interface ReviewQuery {
  snapshotId: string | null
  /** Null for all. */
  tab: ReviewStatus | null
  cursor: ReviewPosition | null
  limit: number
}

/** Helps an account to decide which receipts it converts. Every accountId here has been checked to be the caller's. */
export interface DepositReview {
  /** Returns the number of addresses by status, and the unseen ones that need review. */
  summarize(accountId: string): Promise<ReviewSummary>
  /**
   * Yields the summary now, and again whenever a number in it changes, until the signal is aborted. Changes by any
   * instance count. A change of prices alone is reported with the next other change.
   */
  follow(accountId: string, signal: AbortSignal): AsyncGenerator<ReviewSummary>
  /**
   * Returns a page, the newest receipt first. The snapshot freezes entries, groups, order and counts for 30 seconds;
   * amounts and prices are current. With an existing snapshot, only the page's addresses are read.
   */
  list(accountId: string, query: ReviewQuery): Promise<ReviewPage>
  /** Marks everything indexed so far as seen; the mark never moves back. @returns the time of the mark. */
  markSeen(accountId: string): Promise<Date>
  /**
   * Skips an address until it gets a later trusted receipt than the skip names.
   * @throws ServiceError `bad-request` REVIEW_SKIP_UNSEEN.
   */
  skip(accountId: string, address: Address, skip: Skip): Promise<Skip & { address: Address; skippedAt: Date }>
  /** @returns false if there was no skip. */
  restore(accountId: string, address: Address): Promise<boolean>
  /** Stops polling for followers. */
  stop(): void
}
