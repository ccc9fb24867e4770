import { z } from 'zod'

/** Where unknown selectors are looked up. */
export const signaturesConfig = z.strictObject({
  /**
   * A server that speaks Sourcify's signature API is asked about selectors that nothing here knows. It learns what is
   * signed here, not by whom. Off unless set.
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
