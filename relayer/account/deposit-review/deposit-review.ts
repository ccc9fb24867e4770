import type { Address } from 'viem'
import type { Price } from '../../market/prices/prices.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { Source, TrustedReceives } from '../provenance/provenance.ts'
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
  /** Actions that brought the asset to the address. */
  receives: TrustedReceives
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
  /** Where what the assets hold came from in the end: each source once, in the order of their ids. */
  sources: readonly Source[]
  /** Actions that brought the address anything. */
  receives: TrustedReceives
}

/** How many addresses stand how. */
export type ReviewCounts = Record<ReviewStatus, number>

/** How an account stands with its review. */
export interface ReviewSummary {
  counts: ReviewCounts
  /** Need review for a trusted receipt that was not seen, the newest receipt first. */
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
  /** How many addresses stand how, and which of those that need review are not seen yet. */
  summarize(accountId: string): Promise<ReviewSummary>
  /**
   * The summary now, and again whenever another number is in it, until the signal is aborted: whatever instance wrote
   * what changed it. A change of prices alone is told with the next other change.
   */
  follow(accountId: string, signal: AbortSignal): AsyncGenerator<ReviewSummary>
  /**
   * A page, the newest receipt first. Who is in it, in which group and order, and all counts are frozen for 30 seconds by
   * the snapshot; amounts and prices are those of now. Of a snapshot that exists, only the page's addresses are read.
   */
  list(accountId: string, query: ReviewQuery): Promise<ReviewPage>
  /** Marks what is indexed now as seen; the mark never moves back. @returns when the account looked last. */
  markSeen(accountId: string): Promise<Date>
  /**
   * Skips an address until a trusted receipt is later than the skip says.
   * @throws ServiceError `bad-request` REVIEW_SKIP_UNSEEN.
   */
  skip(accountId: string, address: Address, skip: Skip): Promise<Skip & { address: Address; skippedAt: Date }>
  /** @returns whether there was a skip. */
  restore(accountId: string, address: Address): Promise<boolean>
  /** Ends looking for followers. */
  stop(): void
}
