import type { FeeWaivers } from '../../account/fee-waivers/fee-waivers.ts'
import type { ServiceFeeTerms } from './service-fee.ts'

/** Where an account's terms are known. */
export interface ServiceFeeParts {
  feeWaivers: Pick<FeeWaivers, 'readTerms'>
  config: { serviceFeeBps: number }
}

/**
 * What an account pays for sending now: nothing under a waiver or while the offer to new accounts stands, which the first
 * submission claims; less when it was referred.
 */
export async function readServiceFee(
  { feeWaivers, config }: ServiceFeeParts,
  accountId: string,
): Promise<ServiceFeeTerms> {
  return { serviceFeeBps: config.serviceFeeBps, ...(await feeWaivers.readTerms(accountId)) }
}
