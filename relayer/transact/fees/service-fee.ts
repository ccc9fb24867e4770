import { usdToNumber, valueInUsd } from '../../market/prices/usd.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { FeeWaivers } from '../../account/fee-waivers/fee-waivers.ts'

/** Unit of the rate: basis points of basis points, so that a discount is not rounded. */
const PARTS = 100_000_000n

/** The rate of an account's service fee; a waived fee is zero. */
export interface ServiceFeeTerms {
  serviceFeeBps: number
  /** Discount on the rate, in basis points. */
  discountBps: number
  waived: boolean
}

/** Returns the service fee on an amount, in its smallest unit, rounded down. */
export function serviceFeeOf(amount: bigint, terms: ServiceFeeTerms): bigint {
  return (amount * rateOf(terms)) / PARTS
}

/** Returns the largest amount that, together with its service fee, is at most `net`. */
export function largestAmountWithin(net: bigint, terms: ServiceFeeTerms): bigint {
  if (net <= 0n) return 0n
  let amount = (net * PARTS) / (PARTS + rateOf(terms))
  while (amount + 1n + serviceFeeOf(amount + 1n, terms) <= net) amount += 1n
  return amount
}

/** Returns the rate for display, in basis points. */
export function effectiveBps({ serviceFeeBps, discountBps, waived }: ServiceFeeTerms): number {
  return waived ? 0 : (serviceFeeBps * (10_000 - discountBps)) / 10_000
}

function rateOf({ serviceFeeBps, discountBps, waived }: ServiceFeeTerms): bigint {
  return waived ? 0n : BigInt(serviceFeeBps) * BigInt(10_000 - discountBps)
}

/**
 * Reads the terms of an account's service fee. The fee is zero under a waiver, and under the offer to new
 * accounts until their first submission. It is lower for a referred account.
 * @param serviceFeeBps The full rate, in basis points.
 */
export async function readServiceFee(
  feeWaivers: FeeWaivers,
  accountId: string,
  serviceFeeBps: number,
): Promise<ServiceFeeTerms> {
  return { serviceFeeBps, ...(await feeWaivers.readTerms(accountId)) }
}

/** Fees of a quote. */
export interface ChargedFees {
  /** Network fee in the spent token, smallest unit, like the other amounts. */
  network: bigint
  service: bigint
  /** The service's share of a deposit into a pool, and the vetting fee of the pool's owner. */
  deposit: bigint
  vetting: bigint
  /** Rest that is too small to be worth returning. */
  dust: bigint
  networkUsd: number | null
  totalUsd: number | null
  /** Service fees are suspended for the account. */
  waived: boolean
}

/** Adds the dollar values to fees. */
export function describeFees(
  { decimals }: Token,
  tokenUsd: bigint | null,
  fees: Omit<ChargedFees, 'networkUsd' | 'totalUsd'>,
): ChargedFees {
  const worth = (amount: bigint) =>
    tokenUsd === null ? null : usdToNumber(valueInUsd(amount, decimals, { usd: tokenUsd }))
  return { ...fees, networkUsd: worth(fees.network), totalUsd: worth(totalOf(fees)) }
}

/** Returns the sum of all fees, without the dust. */
export function totalOf({
  network,
  service,
  deposit,
  vetting,
}: Omit<ChargedFees, 'networkUsd' | 'totalUsd'>): bigint {
  return network + service + deposit + vetting
}

/** Assigns the service's share to its name: each quote has one of the two. */
export const nameShare = ({ price }: { price: string }, share: bigint) =>
  price === 'deposit' ? { service: 0n, deposit: share } : { service: share, deposit: 0n }
