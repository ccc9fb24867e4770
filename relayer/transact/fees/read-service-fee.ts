import type { CommonQueryMethods } from 'slonik'
import type { FeeWaivers } from '../../account/fee-waivers/fee-waivers.ts'
import { readReferralDiscount } from '../../account/referrals/book-referral-earning.ts'
import type { ServiceFeeTerms } from './service-fee.ts'

/** Where an account's terms are known. */
export interface ServiceFeeParts {
  database: CommonQueryMethods
  feeWaivers: FeeWaivers
  config: { serviceFeeBps: number }
}

/**
 * What an account pays for sending now: nothing under a waiver or while the offer to new accounts stands, which the first
 * submission claims; less when it was referred.
 */
export async function readServiceFee(
  { database, feeWaivers, config }: ServiceFeeParts,
  accountId: string,
): Promise<ServiceFeeTerms> {
  const [waiver, offer, discountBps] = await Promise.all([
    feeWaivers.read(accountId),
    feeWaivers.offerExpiresAt(accountId),
    readReferralDiscount(database, accountId),
  ])
  return {
    serviceFeeBps: config.serviceFeeBps,
    discountBps: Math.min(discountBps, 10_000),
    waived: waiver.active || offer !== null,
  }
}
