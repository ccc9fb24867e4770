import type { CommonQueryMethods } from 'slonik'

/** The state of an account's waiver of service fees. */
export interface FeeWaiver {
  active: boolean
  source: 'activation' | 'collectible' | null
  /** Null also for a waiver without an end. */
  activeUntil: Date | null
}

/** An account's present share of the service fees. */
export interface AccountFeeTerms {
  /** True if no fee is due: a waiver is in force, or the first submission will claim the offer. */
  waived: boolean
  /** Discount in basis points of a referred account; at most 10,000. */
  discountBps: number
}

/** Waivers of service fees. Every accountId here has been checked to be the caller's. */
export interface FeeWaivers {
  read(accountId: string): Promise<FeeWaiver>
  /** Reads the terms by one query. */
  readTerms(accountId: string): Promise<AccountFeeTerms>
  /** Returns until when the account may claim the activation offer; null if it cannot or no longer can. */
  offerExpiresAt(accountId: string): Promise<Date | null>
  /**
   * Claims the activation offer, which starts the waiver. Call it in the transaction that submits a quote whose fee
   * was waived. Does nothing if the offer was claimed, has expired, or a collectible waives the fees.
   *
   * @returns true if the offer was claimed now.
   */
  claimActivation(connection: CommonQueryMethods, accountId: string): Promise<boolean>
  /**
   * Withholds the offer from a sign-in address that claimed it before. Call it in the transaction that creates the
   * account.
   */
  welcome(connection: CommonQueryMethods, created: { accountId: string; authAddress: string }): Promise<void>
}
