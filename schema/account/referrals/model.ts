import { z } from 'zod'

export const namePath = z.object({ name: z.string().min(1).max(255) })
export const codePath = z.object({ code: z.string().min(1).max(64) })

const isoDate = z.iso.datetime()
const bps = z.int().min(0).max(10_000).meta({ description: 'Basis points.' })

const attributedTerms = {
  referrerShareBps: bps.meta({ description: 'What the referrer gets of service fees, in basis points.' }),
  referredDiscountBps: bps.meta({ description: 'What the referred saves on them, in basis points.' }),
  minimumRewardUsdCents: z
    .int()
    .nonnegative()
    .meta({ description: 'A share of one fee that is worth less is not given.' }),
}
const terms = { ...attributedTerms, earningDurationDays: z.int().positive() }

export const availability = z
  .object({ available: z.boolean() })
  .meta({ id: 'ReferralAvailability', description: 'Whether there is a referral programme.' })

export const referrer = z
  .object({ code: z.string(), referrerName: z.string(), ...terms })
  .meta({ id: 'Referrer', description: 'Who refers, and on which terms.' })

export const referralPreview = z
  .object({ referrerName: z.string().nullable(), ...terms })
  .meta({ id: 'ReferralPreview', description: 'What a referral code offers.' })

export const attribution = z
  .object({
    referrerName: z.string(),
    ...attributedTerms,
    earningStartsAt: isoDate,
    earningEndsAt: isoDate,
    revokedAt: isoDate.nullable(),
    status: z.enum(['active', 'expired', 'revoked']).meta({
      id: 'ReferralAttributionStatus',
      description: 'expired: its time is over. revoked: the account ended it.',
    }),
  })
  .meta({ id: 'ReferralAttribution', description: 'On the terms of the day on which it was made.' })

export const referralSummary = z
  .object({
    totalReferrals: z.int().nonnegative(),
    activeReferrals: z.int().nonnegative(),
    totalEarnedUsd: z
      .string()
      .meta({ description: 'Dollars, of fees that had a price.', examples: ['12.34'] }),
  })
  .meta({ id: 'ReferralSummary', description: 'What the account’s referrals amount to.' })

export const referralProfile = z
  .object({ code: z.string(), ...terms })
  .meta({ id: 'ReferralProfile', description: 'The account’s referral code and today’s terms.' })
