import { z } from 'zod'

/** The offer to new accounts: no service fees for a while. Zero waiverDays: there is none. */
export const feeWaiversConfig = z.strictObject({
  /** How long after its creation an account may claim the offer. */
  claimDays: z.int().min(1).max(3_650).default(30),
  /** How long no service fees are taken once it did. */
  waiverDays: z.int().min(0).max(3_650).default(14),
})

/** The settings of the activation offer after parsing. */
export type FeeWaiversConfig = z.output<typeof feeWaiversConfig>
