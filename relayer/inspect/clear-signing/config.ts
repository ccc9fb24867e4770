import { z } from 'zod'

/** Settings of clear signing. */
export const clearSigningConfig = z.strictObject({
  /** True to serve descriptors that are only proposed to a registry. */
  pullRequests: z.boolean().default(false),
})

/** The settings after parsing, defaults filled in. */
export type ClearSigningConfig = z.output<typeof clearSigningConfig>
