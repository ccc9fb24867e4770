import { z } from 'zod'
import { isAppOrigin } from './app-origin.ts'

const origin = z
  .string()
  .refine((text) => isAppOrigin(text, { loopback: true }), 'expected an origin: https://host')

/** Recognised and blocked apps. */
export const appsConfig = z.strictObject({
  /** Apps shown with a name and an icon; `verified` only for exactly this origin. */
  recognised: z
    .array(
      z.strictObject({
        origin,
        displayName: z.string().min(1).max(64),
        iconUrl: z
          .url({ protocol: /^https$/ })
          .nullable()
          .default(null),
      }),
    )
    .max(10_000)
    .default([]),
  /** Origins that get no address and no quote. */
  blocked: z.array(origin).max(100_000).default([]),
})

/** The parsed settings. */
export type AppsConfig = z.output<typeof appsConfig>
