import type { CommonQueryMethods } from 'slonik'
import { findAttribution } from '../../../db/account/referrals/referral-attributions.ts'
import { insertEarning } from '../../../db/account/referrals/referral-earnings.ts'
import { shareFee } from './share-fee.ts'

/** The service fee that a confirmed quote brought. */
export interface TakenFee {
  quoteId: string
  /** Who paid it. */
  accountId: string
  chainId: number
  token: string
  /** Smallest unit of the token. */
  serviceFee: bigint
  /** Its worth in millionths of a dollar; null when the token has no price. */
  serviceFeeUsdMicros: bigint | null
}

/**
 * Books the referrer's share of a service fee. Call it in the transaction that confirms the quote; that may run
 * again, and a quote is booked once.
 *
 * @returns The share in the token's smallest unit; null when nothing was booked: no referrer, an expired attribution,
 * no fee, or booked before.
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
