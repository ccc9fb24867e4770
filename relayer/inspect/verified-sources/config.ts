import { z } from 'zod'

/** The server of verified sources; false for none. */
export const sourcifyConfig = z.union([
  z.literal(false),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }).describe("A server of Sourcify's API, version 2."),
    timeoutMs: z.int().min(100).max(30_000).default(3_000).describe('Limit of a question, in milliseconds.'),
    questionsPerMinute: z
      .int()
      .min(12)
      .max(6_000)
      .default(60)
      .describe('Questions a minute and instance at most, which clients share.'),
  }),
])

/** The parsed settings. */
export type SourcifyConfig = z.output<typeof sourcifyConfig>
