import type { Address, Hash } from 'viem'
import type { Token } from '../../market/tokens/tokens.ts'

/** The status of a pool deposit, or of a conversion whose deposit is not indexed yet. */
export type PoolDepositStatus = 'submitted' | 'pending' | 'approved' | 'declined' | 'recovered' | 'failed'

/** A conversion or deposit that began at one address with one token. */
export interface DepositFact {
  /** Decimal text of the deposit's label; null while no deposit is indexed. */
  commitmentId: string | null
  status: PoolDepositStatus
  /** Hash of the deposit, or of the recovery once recovered; null while none is mined. */
  txHash: Hash | null
  /** In the token's smallest unit, without the vetting fee. */
  amount: bigint
  /** Time when the status was reached. */
  updatedAt: Date
  /** True while it waits for a block or for approval, or is being recovered. */
  isUnderWay: boolean
}

/** The facts that decide the review of one token at one address. Amounts are in the token's smallest unit. */
export interface AssetFacts {
  address: Address
  chainId: number
  token: Address
  /** Held and not reserved by a quote. */
  available: bigint
  /** Held and reserved by a quote. */
  locked: bigint
  receiveCount: number
  rawReceiveCount: number
  /** Time of the last trusted receive. */
  lastReceivedAt: Date
  receiveTxHash: Hash | null
  deposits: readonly DepositFact[]
}

/** Why an asset is in review. */
export type StatusReason = 'new_funds' | 'deposit_declined' | 'deposit_failed' | 'recovered'

/** The review status of an asset. */
export type AssetStatus = Exclude<ReviewStatus, 'skipped'>

/** The review statuses of an address. */
export const REVIEW_STATUSES = ['needsReview', 'inProgress', 'done', 'skipped'] as const
/** The review status of an address. */
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]

/** A skip: the state of an address that the owner saw when skipping it. */
export interface Skip {
  lastReceivedAt: Date
  rawReceiveCount: number
}

/** An asset considered for conversion as a whole, in its smallest unit, with its price and the native coin's. */
interface ConvertibleAsset {
  token: Pick<Token, 'chainId' | 'address' | 'decimals'>
  available: bigint
  /** Units of 10^-30 dollars per whole token; null without a price. */
  tokenUsd: bigint | null
  nativeUsd: bigint | null
}

/**
 * Estimates the deposit that would enter the pool, vetting fee included, in the asset's smallest unit. Returns 0 if
 * fees take all, or if the token has no price to charge them in; null while costs are unknown.
 */
export type EstimateDeposit = (asset: ConvertibleAsset) => bigint | null

/** The costs of conversions. */
export interface ConversionCosts {
  /** Returns the estimate for an account at present, by one query. */
  read(accountId: string): Promise<EstimateDeposit>
}
