import type { CommonQueryMethods } from 'slonik'

/** Terms of an attribution: shares and discounts in basis points, the minimum reward in US cents. */
export interface ReferralTerms {
  referrerShareBps: number
  referredDiscountBps: number
  earningDurationDays: number
  minimumRewardUsdCents: number
}

/** An account that can be named as referrer, with the present terms. */
export interface Referrer extends ReferralTerms {
  code: string
  /** Null if the referrer has no name. */
  referrerName: string | null
}

/** An account's referrer, with the terms of that day. */
export interface Attribution extends Omit<ReferralTerms, 'earningDurationDays'> {
  referrerName: string | null
  earningStartsAt: Date
  earningEndsAt: Date
  revokedAt: Date | null
  status: 'active' | 'expired' | 'revoked'
}

/** The number of a referrer's referrals, and the earnings. */
export interface ReferralSummary {
  totalReferrals: number
  activeReferrals: number
  /** Dollars, a decimal string. */
  totalEarnedUsd: string
}

/** The referral programme. Every accountId here has been checked to be the caller's. */
export interface Referrals {
  isAvailable(): boolean
  /**
   * Finds the account with a referral profile and this name, with or without the parent name.
   *
   * @throws ServiceError `not-found`, `forbidden` while there is no programme.
   */
  findByName(name: string): Promise<Referrer>
  /** @throws ServiceError `not-found`, `forbidden` while there is no programme. */
  findByCode(code: string): Promise<Referrer>
  /**
   * Attributes a new account, in the transaction that creates it. Returns false for an invalid code, which does not
   * prevent the account's creation.
   */
  apply(connection: CommonQueryMethods, attributed: { accountId: string; code: string }): Promise<boolean>
  /** @throws ServiceError `not-found` for an account without a referrer. */
  readAttribution(accountId: string): Promise<Attribution>
  /** Ends discount and share for good. @throws ServiceError `not-found` for an account without a referrer. */
  endAttribution(accountId: string): Promise<Attribution>
  summarize(accountId: string): Promise<ReferralSummary>
  /** Returns the account's code, created on first use. @throws ServiceError `forbidden` while there is no programme. */
  openProfile(accountId: string): Promise<ReferralTerms & { code: string }>
}
