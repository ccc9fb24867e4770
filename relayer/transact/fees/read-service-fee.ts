import type { FeeWaivers } from '../../account/fee-waivers/fee-waivers.ts'
import type { ServiceFeeTerms } from './service-fee.ts'

/** Where an account's terms are known. */
export interface ServiceFeeParts {
  feeWaivers: Pick<FeeWaivers, 'readTerms'>
}

/**
 * What an account pays for sending now: nothing under a waiver or while the offer to new accounts stands, which the first
 * submission claims; less when it was referred.
 * @param serviceFeeBps The full rate, in basis points.
 */
export async function readServiceFee(
  { feeWaivers }: ServiceFeeParts,
  accountId: string,
  serviceFeeBps: number,
): Promise<ServiceFeeTerms> {
  return { serviceFeeBps, ...(await feeWaivers.readTerms(accountId)) }
}
