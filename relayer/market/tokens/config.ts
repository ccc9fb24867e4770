import { isAddress, getAddress } from 'viem'
import { z } from 'zod'

const tokenName = z.strictObject({
  chainId: z.int().positive(),
  address: z
    .string()
    .refine((text) => isAddress(text), 'is not an address: write 0x and 40 hex digits')
    .transform((text) => getAddress(text)),
})

/** What the service knows of tokens by itself. */
export const tokensConfig = z.strictObject({
  /** A list of the Token Lists standard: the one that comes along, a file, or an address that is asked once a day. */
  list: z
    .union(
      [
        z.literal('default'),
        z.literal('none'),
        z.strictObject({ file: z.string().min(1) }),
        z.strictObject({ url: z.url({ protocol: /^https?$/ }) }),
      ],
      'is none of "default", "none", {"file": …} and {"url": …}',
    )
    .default('default'),
  /** Symbols that clients show first. */
  pinnedSymbols: z
    .array(z.string().min(1).max(32))
    .max(100)
    .default(['ETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'WETH']),
  partners: z.array(tokenName).max(1_000).default([]),
  /** How many tokens one account may add. */
  maxPerAccount: z.int().min(1).max(10_000).default(500),
  /**
   * Tokens that nobody listed and the account did not add, of which one answer about an account tells at most: those with
   * a price first, then those known the longest. Anybody can send an account any number of them.
   */
  maxUnlisted: z.int().min(1).max(10_000).default(200),
  /** What was read from providers and contracts is asked for again after this, in milliseconds. */
  metadataMaxAgeMs: z.int().min(60_000).max(31_536_000_000).default(604_800_000),
  /** Limit of one reading of contracts, in milliseconds. */
  readTimeoutMs: z.int().min(100).max(60_000).default(5_000),
})

/** The catalogue's settings after parsing, defaults filled in. */
export type TokensConfig = z.output<typeof tokensConfig>
