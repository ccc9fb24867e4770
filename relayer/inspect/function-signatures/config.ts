import { z } from 'zod'

/** Settings of the lookup of unknown selectors. */
export const signaturesConfig = z.strictObject({
  /**
   * A server of Sourcify's signature API, for selectors that the service does not know. It learns which functions are
   * signed, not by whom. Off unless set.
   */
  remote: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }),
      timeoutMs: z.int().min(100).max(10_000).default(1_000),
      questionsPerMinute: z.int().min(12).max(6_000).default(60),
    })
    .optional(),
})
/** The parsed settings. */
export type SignaturesConfig = z.output<typeof signaturesConfig>
