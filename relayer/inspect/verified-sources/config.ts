import { z } from 'zod'

/** The server of verified sources; false for none. */
export const sourcifyConfig = z.union([
  z.literal(false),
  z.strictObject({
    /** A server of Sourcify's API, version 2. */
    url: z.url({ protocol: /^https?$/ }),
    timeoutMs: z.int().min(100).max(30_000).default(3_000),
    questionsPerMinute: z.int().min(12).max(6_000).default(60),
  }),
])

/** The parsed settings. */
export type SourcifyConfig = z.output<typeof sourcifyConfig>
