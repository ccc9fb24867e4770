import { z } from 'zod'
import { addressSetting } from '../../chain/nodes/config-values.ts'

/** Settings of screening. */
export const screeningConfig = z.strictObject({
  mode: z
    .enum(['off', 'list', 'oracle'])
    .default('off')
    .describe(
      "`off` screens nothing, `list` uses `addresses`, `oracle` also asks each chain's " +
        '`sanctionsOracle`.',
    ),
  addresses: z
    .array(addressSetting)
    .max(100_000)
    .default([])
    .describe('Addresses that are refused on every chain.'),
  cacheMs: z
    .int()
    .min(0)
    .max(600_000)
    .default(30_000)
    .describe("Time for which an oracle's answer is cached, in milliseconds."),
  recoveryUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL that shows a refused user how to recover their funds.'),
})

/** The settings of screening after parsing, defaults filled in. */
export type ScreeningConfig = z.output<typeof screeningConfig>
