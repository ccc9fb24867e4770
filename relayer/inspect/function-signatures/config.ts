import { z } from 'zod'

/** Settings of the lookup of unknown selectors. */
export const signaturesConfig = z.strictObject({
  remote: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }).describe('Address of the server.'),
      timeoutMs: z
        .int()
        .min(100)
        .max(10_000)
        .default(1_000)
        .describe('Limit of a question, in milliseconds.'),
      questionsPerMinute: z
        .int()
        .min(12)
        .max(6_000)
        .default(60)
        .describe('Questions a minute and instance at most, which clients share.'),
    })
    .optional()
    .describe(
      "A server of Sourcify's signature API, for selectors that the service does not know. It learns " +
        'which functions are signed, not by whom. Off unless set.',
    ),
})
/** The parsed settings. */
export type SignaturesConfig = z.output<typeof signaturesConfig>
