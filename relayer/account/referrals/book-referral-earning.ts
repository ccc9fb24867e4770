import type { CommonQueryMethods } from 'slonik'
import { findAttribution } from '../../../db/account/referrals/referral-attributions.ts'
import { insertEarning } from '../../../db/account/referrals/referral-earnings.ts'

/** The service fee of a confirmed quote. */
export interface TakenFee {
  quoteId: string
  /** The account that paid it. */
  accountId: string
  chainId: number
  token: string
  /** Smallest unit of the token. */
  serviceFee: bigint
  /** Its worth in millionths of a dollar; null if the token has no price. */
  serviceFeeUsdMicros: bigint | null
}

/**
 * Books the referrer's share of a service fee. Call it in the transaction that confirms the quote. A repeated call
 * books nothing again.
 *
 * @returns The share in the token's smallest unit. Null if nothing was booked: no fee, no referrer, an expired
 * attribution, or an earlier booking.
 */
export async function bookReferralEarning(
  connection: CommonQueryMethods,
  fee: TakenFee,
): Promise<bigint | null> {
  if (fee.serviceFee === 0n) return null
  const attribution = await findAttribution(connection, fee.accountId)
  if (attribution?.status !== 'active') return null
  const { quoteId, chainId, token, serviceFee } = fee
  const shared = shareFee(fee, attribution)
  const isBooked = await insertEarning(connection, {
    quoteId,
    attributionId: attribution.id,
    chainId,
    token,
    serviceFee,
    ...shared,
  })
  return isBooked ? shared.referrerShare : null
}

/** The part of a service fee that goes to the referrer. */
interface SharedFee {
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
