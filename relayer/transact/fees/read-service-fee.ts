import { readReferralDiscount } from '../../accounts/referrals/book-referral-earning.ts'
import type { QuoteParts } from '../quotes/quote-parts.ts'
import type { ServiceFeeTerms } from './service-fee.ts'

export interface AccountFeeTerms extends ServiceFeeTerms {
  /** Waived by the offer to new accounts, which the quote has to claim. */
  claimsOffer: boolean
}

/** What an account pays for sending now: nothing under a waiver, less when it was referred. */
export async function readServiceFee(
  { database, feeWaivers, config }: Pick<QuoteParts, 'database' | 'feeWaivers' | 'config'>,
  accountId: string,
): Promise<AccountFeeTerms> {
  const [waiver, offer, discountBps] = await Promise.all([
    feeWaivers.read(accountId),
    feeWaivers.offerExpiresAt(accountId),
    readReferralDiscount(database, accountId),
  ])
  const claimsOffer = offer !== null
  return {
    serviceFeeBps: config.serviceFeeBps,
    discountBps: Math.min(discountBps, 10_000),
    waived: waiver.active || claimsOffer,
    claimsOffer,
  }
}
