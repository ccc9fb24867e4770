import { z } from 'zod'

/** The offer to new accounts: no service fees for some days. `waiverDays` 0 switches it off. */
export const feeWaiversConfig = z.strictObject({
  /** Days after an account's creation within which it may claim the offer. */
  claimDays: z.int().min(1).max(3_650).default(30),
  /** Days without service fees after the claim. */
  waiverDays: z.int().min(0).max(3_650).default(14),
})

/** The settings of the activation offer after parsing. */
export type FeeWaiversConfig = z.output<typeof feeWaiversConfig>
