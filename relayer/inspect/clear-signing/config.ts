import { z } from 'zod'

/** Settings of clear signing. */
export const clearSigningConfig = z.strictObject({
  pullRequests: z
    .boolean()
    .default(false)
    .describe('True to serve descriptors that are only proposed to a registry.'),
})

/** The settings after parsing, defaults filled in. */
export type ClearSigningConfig = z.output<typeof clearSigningConfig>
