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
