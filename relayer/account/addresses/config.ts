import { z } from 'zod'

/** Settings of one-time addresses. */
export const addressesConfig = z.strictObject({
  freshPerWindow: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(2_000)
    .describe('Unused addresses per account and window; further requests get the oldest unused ones again.'),
  freshPerNetwork: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe(
      'Fresh addresses per window for all accounts of one network (an IPv4 address or an IPv6 /64). ' +
        'Default: twice `freshPerWindow`. Beyond the limit an account gets its unused ones again, and a ' +
        'fresh one only if it has none.',
    ),
  windowMs: z.int().min(1_000).max(2_592_000_000).default(3_600_000).describe('The window, in milliseconds.'),
})

/** The address settings after parsing, defaults filled in. */
export type AddressesConfig = z.output<typeof addressesConfig>
