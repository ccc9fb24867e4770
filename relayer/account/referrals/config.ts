import { z } from 'zod'

/** Terms of the referral programme; an attribution keeps the terms of its creation. */
export const referralsConfig = z.strictObject({
  /** If false, no account can refer another; existing attributions continue. */
  enabled: z.boolean().default(true),
  /** Share of the service fees that the referrer gets, in basis points. */
  referrerShareBps: z.int().min(0).max(10_000).default(2_000),
  /** Discount of referred accounts on service fees, in basis points. */
  referredDiscountBps: z.int().min(0).max(10_000).default(1_000),
  earningDurationDays: z.int().min(1).max(3_650).default(365),
  /** The service keeps a share of one fee that is worth less. */
  minimumRewardUsdCents: z.int().min(0).max(1_000_000).default(1),
})

/** The terms of the referral programme after parsing. */
export type ReferralsConfig = z.output<typeof referralsConfig>
