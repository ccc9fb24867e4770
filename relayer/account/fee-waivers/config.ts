import { z } from 'zod'

/** The offer to new accounts: no service fees for some days. `waiverDays` 0 switches it off. */
export const feeWaiversConfig = z.strictObject({
  claimDays: z
    .int()
    .min(1)
    .max(3_650)
    .default(30)
    .describe("Days after an account's creation in which its first payment starts the waiver."),
  waiverDays: z
    .int()
    .min(0)
    .max(3_650)
    .default(14)
    .describe('Days without service fees after the claim; 0 for no offer.'),
})

/** The settings of the activation offer after parsing. */
export type FeeWaiversConfig = z.output<typeof feeWaiversConfig>
