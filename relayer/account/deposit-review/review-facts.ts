import type { Address, Hash } from 'viem'

/** How a deposit into a pool stands, or a conversion whose deposit is not indexed yet. */
export type PoolDepositStatus = 'submitted' | 'pending' | 'approved' | 'declined' | 'recovered' | 'failed'

/** A conversion or deposit that began at one address with one token. */
export interface DepositFact {
  /** Decimal text of the deposit's label; null while no deposit is indexed. */
  commitmentId: string | null
  status: PoolDepositStatus
  /** Of the deposit, or of the recovery once it is recovered; null while none is mined. */
  txHash: Hash | null
  /** In the token's smallest unit, without the vetting fee. */
  amount: bigint
  /** When the status was reached. */
  updatedAt: Date
  /** It waits for a block or for its approval, or is being recovered. */
  isUnderWay: boolean
}

/** What decides the review of one token at one address. Amounts are in the token's smallest unit. */
export interface AssetFacts {
  address: Address
  chainId: number
  token: Address
  /** Held and not promised to a quote. */
  available: bigint
  /** Held and promised to a quote. */
  locked: bigint
  receiveCount: number
  rawReceiveCount: number
  /** Of the last trusted receive. */
  lastReceivedAt: Date
  receiveTxHash: Hash | null
  deposits: readonly DepositFact[]
}

/** Why an asset is in review. */
export type StatusReason = 'new_funds' | 'deposit_declined' | 'deposit_failed' | 'recovered'

/** Where the review of an asset stands. */
export type AssetStatus = Exclude<ReviewStatus, 'skipped'>

/** Where the review of an address may stand. */
export const REVIEW_STATUSES = ['needsReview', 'inProgress', 'done', 'skipped'] as const
/** Where the review of an address stands. */
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]

/** What an account has skipped: what there was to see of an address when it did. */
export interface Skip {
  lastReceivedAt: Date
  rawReceiveCount: number
}
