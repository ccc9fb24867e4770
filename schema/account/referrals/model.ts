import { z } from 'zod'
import { decimalText, moment } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'

export const namePath = parameters({
  name: described(z.string().min(1).max(255), 'Name of the referrer, with or without the parent name.'),
})
export const codePath = parameters({
  code: described(z.string().min(1).max(64), 'The referral code, as the user typed it.'),
})

const bps = z.int().min(0).max(10_000)

const attributedTerms = {
  referrerShareBps: described(bps, 'What the referrer gets of service fees, in basis points.'),
  referredDiscountBps: described(bps, 'What the referred saves on service fees, in basis points.'),
  minimumRewardUsdCents: described(
    z.int().nonnegative(),
    'US cents: a share of one fee that is worth less is not given.',
  ),
}
const terms = {
  ...attributedTerms,
  earningDurationDays: described(
    z.int().positive(),
    'Days from the account’s creation for which the referrer gets a share.',
  ),
}

const code = described(z.string(), 'The referral code, for `referralCode` when an account is created.')

export const availability = shape('ReferralAvailability', 'Whether there is a referral programme.', {
  available: described(z.boolean(), 'True when codes can be had and used.'),
})

export const referrer = shape('Referrer', 'A referrer and its terms.', {
  code,
  referrerName: described(z.string(), 'Name of the account that refers.'),
  ...terms,
})

export const referralPreview = shape('ReferralPreview', 'What a referral code offers.', {
  referrerName: described(z.string().nullable(), 'Name of the account that refers; null while it has none.'),
  ...terms,
})

export const referralAttribution = shape(
  'ReferralAttribution',
  'Who referred the account, on the terms of the day on which it was created.',
  {
    referrerName: described(z.string(), 'Name of the account that referred; empty while it has none.'),
    ...attributedTerms,
    earningStartsAt: described(moment, 'From when the referrer gets a share.'),
    earningEndsAt: described(moment, 'Until when the referrer gets a share.'),
    revokedAt: described(moment.nullable(), 'When the account ended the attribution; null unless it did.'),
    status: described(
      z.enum(['active', 'expired', 'revoked']),
      'expired: its time is over. revoked: the account ended it.',
      { id: 'ReferralAttributionStatus' },
    ),
  },
)

export const referralSummary = shape('ReferralSummary', 'The totals of the account’s referrals.', {
  totalReferrals: described(z.int().nonnegative(), 'Number of accounts that were referred.'),
  activeReferrals: described(
    z.int().nonnegative(),
    'Number of those accounts whose fees still earn a share.',
  ),
  totalEarnedUsd: described(
    decimalText,
    'Sum of all shares in US dollars, a decimal string; fees without a price are left out.',
    { examples: ['12.34'] },
  ),
})

export const referralProfile = shape('ReferralProfile', 'The account’s referral code and today’s terms.', {
  code,
  ...terms,
})
