// SPDX-License-Identifier: MIT
/** How an account invites others, previews their discount, and reads its earnings. Pass the code to `openClient`. */
import { askService } from '../requests/ask-service.ts'
import type { Client } from './open-client.ts'

/** Shares and discounts in basis points. */
export interface ReferralTerms {
  referrerShareBps: number
  referredDiscountBps: number
  earningDurationDays: number
  minimumRewardUsdCents: number
}

/** The account's own code, made when it is first asked for. */
export function openReferrals(client: Client): Promise<ReferralTerms & { code: string }> {
  return client.ask('POST', `/v1/accounts/${client.accountId}/referrals/profile`)
}

/** Reads the terms that the holder of a code sees before having an account. */
export function previewReferral(
  url: string,
  code: string,
): Promise<ReferralTerms & { referrerName: string | null }> {
  return askService(url, 'GET', `/v1/referrals/${code}/preview`)
}

/** The number of referred accounts and the earnings in dollars. */
export function readEarnings(
  client: Client,
): Promise<{ totalReferrals: number; activeReferrals: number; totalEarnedUsd: string }> {
  return client.ask('GET', `/v1/accounts/${client.accountId}/referrals/summary`)
}
