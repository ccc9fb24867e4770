import type { CommonQueryMethods } from 'slonik'

/** The terms of an attribution: shares and discounts in basis points, the least reward in US cents. */
export interface ReferralTerms {
  referrerShareBps: number
  referredDiscountBps: number
  earningDurationDays: number
  minimumRewardUsdCents: number
}

/** Who can be named as referrer, with the terms of today. */
export interface Referrer extends ReferralTerms {
  code: string
  /** Null while the referrer has no name. */
  referrerName: string | null
}

/** By whom an account was brought, and on the terms of that day. */
export interface Attribution extends Omit<ReferralTerms, 'earningDurationDays'> {
  referrerName: string | null
  earningStartsAt: Date
  earningEndsAt: Date
  revokedAt: Date | null
  status: 'active' | 'expired' | 'revoked'
}

/** What a referrer brought and earned. */
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
   * Whoever has opened a profile and has this name, with or without the parent name.
   *
   * @throws ServiceError `not-found`, `forbidden` while there is no programme.
   */
  findByName(name: string): Promise<Referrer>
  /** @throws ServiceError `not-found`, `forbidden` while there is no programme. */
  findByCode(code: string): Promise<Referrer>
  /**
   * Attributes a new account, in the transaction that creates it. False when the code is not valid: the account is
   * created all the same.
   */
  apply(connection: CommonQueryMethods, attributed: { accountId: string; code: string }): Promise<boolean>
  /** @throws ServiceError `not-found` for an account that nobody referred. */
  readAttribution(accountId: string): Promise<Attribution>
  /** Ends discount and share for good. @throws ServiceError `not-found` for an account that nobody referred. */
  endAttribution(accountId: string): Promise<Attribution>
  summarize(accountId: string): Promise<ReferralSummary>
  /** The account's code, made on first use. @throws ServiceError `forbidden` while there is no programme. */
  openProfile(accountId: string): Promise<ReferralTerms & { code: string }>
}
