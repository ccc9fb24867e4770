/** The part of a service fee that goes to the referrer. */
export interface SharedFee {
  /** Smallest unit of the fee's token. */
  referrerShare: bigint
  /** Millionths of a dollar; null if the fee has no price. */
  referrerShareUsdMicros: bigint | null
}

const BPS = 10_000n
const MICROS_PER_CENT = 10_000n

/**
 * Computes the referrer's share of a fee, rounded down; the remainder stays with the service. A share worth less than
 * the minimum reward is zero. Without a price the minimum cannot be checked, and the share stands.
 */
export function shareFee(
  fee: { serviceFee: bigint; serviceFeeUsdMicros: bigint | null },
  terms: { referrerShareBps: number; minimumRewardUsdCents: number },
): SharedFee {
  const share = (whole: bigint) => (whole * BigInt(terms.referrerShareBps)) / BPS
  const usdMicros = fee.serviceFeeUsdMicros === null ? null : share(fee.serviceFeeUsdMicros)
  if (usdMicros !== null && usdMicros < BigInt(terms.minimumRewardUsdCents) * MICROS_PER_CENT)
    return { referrerShare: 0n, referrerShareUsdMicros: 0n }
  return { referrerShare: share(fee.serviceFee), referrerShareUsdMicros: usdMicros }
}
