import type { FeeWaivers } from '../../account/fee-waivers/fee-waivers.ts'
import type { ServiceFeeTerms } from './service-fee.ts'

/** Source of an account's fee terms. */
export interface ServiceFeeParts {
  feeWaivers: Pick<FeeWaivers, 'readTerms'>
}

/**
 * Reads the terms of an account's service fee. The fee is zero under a waiver, and under the offer to new
 * accounts until their first submission. It is lower for a referred account.
 * @param serviceFeeBps The full rate, in basis points.
 */
export async function readServiceFee(
  { feeWaivers }: ServiceFeeParts,
  accountId: string,
  serviceFeeBps: number,
): Promise<ServiceFeeTerms> {
  return { serviceFeeBps, ...(await feeWaivers.readTerms(accountId)) }
}
