import type { CommonQueryMethods } from 'slonik'

/** Whether service fees are suspended. */
export interface FeeWaiver {
  active: boolean
  source: 'activation' | 'collectible' | null
  /** Null also for a waiver without an end. */
  activeUntil: Date | null
}

/** What an account pays of the service fees now. */
export interface AccountFeeTerms {
  /** Nothing: a waiver is in force, or the offer stands, which the first submission claims. */
  waived: boolean
  /** So many basis points less, for it was referred; at most 10,000. */
  discountBps: number
}

/** Waivers of service fees. Every accountId here has been checked to be the caller's. */
export interface FeeWaivers {
  read(accountId: string): Promise<FeeWaiver>
  /** By one query. */
  readTerms(accountId: string): Promise<AccountFeeTerms>
  /** Until when the account may claim the activation offer; null when it cannot (any more). */
  offerExpiresAt(accountId: string): Promise<Date | null>
  /**
   * Claims the activation offer, from which on the waiver runs. To be called in the transaction that submits a quote whose
   * fee was waived; once claimed, too late, or while a collectible waives the fees, it does nothing.
   *
   * @returns whether the offer was claimed now.
   */
  claimActivation(connection: CommonQueryMethods, accountId: string): Promise<boolean>
  /** To be called in the transaction that creates an account: a sign-in address that claimed the offer before gets none. */
  welcome(connection: CommonQueryMethods, created: { accountId: string; authAddress: string }): Promise<void>
}
