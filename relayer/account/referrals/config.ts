import { z } from 'zod'

/** Terms of the referral programme; an attribution keeps the terms of its creation. */
export const referralsConfig = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('If false, no account can refer another; existing attributions continue.'),
  referrerShareBps: z
    .int()
    .min(0)
    .max(10_000)
    .default(2_000)
    .describe('Share of the service fees that the referrer gets, in basis points.'),
  referredDiscountBps: z
    .int()
    .min(0)
    .max(10_000)
    .default(1_000)
    .describe('Discount of referred accounts on service fees, in basis points.'),
  earningDurationDays: z
    .int()
    .min(1)
    .max(3_650)
    .default(365)
    .describe('Days for which a referrer gets the share.'),
  minimumRewardUsdCents: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(1)
    .describe('A share of one fee that is worth less stays with the service, in US cents.'),
})

/** The terms of the referral programme after parsing. */
export type ReferralsConfig = z.output<typeof referralsConfig>
