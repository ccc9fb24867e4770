import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

const address = z
  .string()
  .refine((text) => isAddress(text), 'is not an address: write 0x and 40 hex digits')
  .transform((text) => getAddress(text))
  .meta({ title: 'address' })

/** The local chains that run when no chains are configured. */
export const devnetConfig = z.strictObject({
  chainIds: z
    .array(z.int().positive())
    .min(1, 'names no chain: write at least one id')
    .refine((ids) => new Set(ids).size === ids.length, 'names an id twice')
    .default([31_337, 31_338])
    .describe('One chain is started per id.'),
  ports: z
    .array(z.int().min(0).max(65_535))
    .default([8_545, 8_546])
    .describe('Wanted ports, in the order of the ids; 0, a missing one or one in use gives a free port.'),
  genesisBlocks: z
    .array(z.int().nonnegative())
    .default([])
    .describe("Number of each chain's first block, in the order of the ids; a missing one is 0."),
  blockTime: z
    .int()
    .min(0)
    .max(3_600)
    .default(0)
    .describe('Seconds between blocks; 0 mines every transaction at once.'),
  deterministic: z
    .boolean()
    .default(false)
    .describe(
      'Fixed timestamps and a gas price of 1 gwei, so that runs are alike. Keys and addresses are ' +
        'fixed anyway.',
    ),
  asp: z
    .boolean()
    .default(true)
    .describe('Whether an ASP runs beside the chains; without one no deposit is reviewed.'),
  aspDelaySeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(5)
    .describe('Seconds until the ASP approves a deposit.'),
  aspPort: z.int().min(0).max(65_535).default(0).describe('Port of the ASP; 0 takes a free one.'),
  aspDecline: z.array(address).default([]).describe('Depositors whose deposits the ASP never approves.'),
  across: z
    .boolean()
    .default(true)
    .describe(
      'Whether a filler of Across and its fees service run, where there are two chains; without them ' +
        'nothing is bridged.',
    ),
  acrossDelaySeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(3)
    .describe('Seconds after which the filler fills a deposit.'),
  acrossPort: z
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe("Port of the devnet's Across: fees, and commands to the filler. 0 takes a free one."),
  cash: z
    .boolean()
    .default(true)
    .describe(
      'Whether buyers, curator and witness of the escrow for cash-outs run; without them nothing is ' +
        'bought.',
    ),
  cashDelaySeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(3)
    .describe('Seconds between two steps of a buyer.'),
  cashPort: z
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe('Port of the buyers and the curator; 0 takes a free one.'),
  market: z
    .boolean()
    .default(true)
    .describe(
      "Whether a market in CoinGecko's protocol runs, the source of prices unless `prices.sources` " +
        'names some. Never on a deterministic devnet; without it prices are fixed.',
    ),
})

/** The devnet's settings after parsing, defaults filled in. */
export type DevnetConfig = z.output<typeof devnetConfig>
