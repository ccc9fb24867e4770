import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

const address = z
  .string()
  .refine((text) => isAddress(text), 'is not an address: write 0x and 40 hex digits')
  .transform((text) => getAddress(text))

/** The local chains that run when no chains are configured. */
export const devnetConfig = z.strictObject({
  /** One chain is started per id. */
  chainIds: z
    .array(z.int().positive())
    .min(1, 'names no chain: write at least one id')
    .refine((ids) => new Set(ids).size === ids.length, 'names an id twice')
    .default([31_337, 31_338]),
  /** Wanted ports, in the order of the ids; 0, a missing one or one in use gives a free port. */
  ports: z.array(z.int().min(0).max(65_535)).default([8_545, 8_546]),
  /** Number of each chain's first block, in the order of the ids; a missing one is 0. */
  genesisBlocks: z.array(z.int().nonnegative()).default([]),
  /** Seconds between blocks; 0 mines every transaction at once. */
  blockTime: z.int().min(0).max(3_600).default(0),
  /** Fixed timestamps and a gas price of 1 gwei, so that runs are alike. Keys and addresses are fixed anyway. */
  deterministic: z.boolean().default(false),
  /** Whether an ASP runs beside the chains; without one no deposit is reviewed. */
  asp: z.boolean().default(true),
  /** Seconds for which the ASP reviews a deposit. */
  aspDelaySeconds: z.number().min(0).max(86_400).default(5),
  /** 0 gives a free port. */
  aspPort: z.int().min(0).max(65_535).default(0),
  /** Depositors whose deposits are never approved. */
  aspDecline: z.array(address).default([]),
  /** Whether a filler fills bridge deposits, if there are two chains; without it nothing is bridged. */
  across: z.boolean().default(true),
  /** Seconds after which a deposit is filled. */
  acrossDelaySeconds: z.number().min(0).max(86_400).default(3),
  /** 0 gives a free port. */
  acrossPort: z.int().min(0).max(65_535).default(0),
  /** Whether a buyer buys cash-outs; without it none is sold. */
  cash: z.boolean().default(true),
  /** Seconds between two actions of a buyer. */
  cashDelaySeconds: z.number().min(0).max(86_400).default(3),
  /** 0 gives a free port. */
  cashPort: z.int().min(0).max(65_535).default(0),
  /** Whether a market moves the prices; without it, and on a deterministic devnet, they are fixed. */
  market: z.boolean().default(true),
})

/** The devnet's settings after parsing, defaults filled in. */
export type DevnetConfig = z.output<typeof devnetConfig>
