import { z } from 'zod'
import { isAppOrigin } from './app-origin.ts'

const origin = z
  .string()
  .refine((text) => isAppOrigin(text, { loopback: true }), 'expected an origin: https://host')

/** Recognised and blocked apps. */
export const appsConfig = z.strictObject({
  recognised: z
    .array(
      z.strictObject({
        origin: origin.describe('The origin of the app as a browser writes it.'),
        displayName: z.string().min(1).max(64).describe('The name that accounts are shown.'),
        iconUrl: z
          .url({ protocol: /^https$/ })
          .nullable()
          .default(null)
          .describe('An https address of its picture. Only clients fetch it, never the service.'),
      }),
    )
    .max(10_000)
    .default([])
    .describe('Apps shown with a name and an icon; `verified` only for exactly this origin.'),
  blocked: z.array(origin).max(100_000).default([]).describe('Origins that get no address and no quote.'),
})

/** The parsed settings. */
export type AppsConfig = z.output<typeof appsConfig>
