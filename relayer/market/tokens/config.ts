import { isAddress, getAddress } from 'viem'
import { z } from 'zod'

const tokenName = z.strictObject({
  chainId: z.int().positive(),
  address: z
    .string()
    .refine((text) => isAddress(text), 'is not an address: write 0x and 40 hex digits')
    .transform((text) => getAddress(text)),
})

/** Settings of the token catalogue. */
export const tokensConfig = z.strictObject({
  /** A list of the Token Lists standard: the built-in one, a file, or a URL that is read once a day. */
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
  /** Maximum of tokens that one account may add. */
  maxPerAccount: z.int().min(1).max(10_000).default(500),
  /**
   * Maximum of unlisted tokens in one answer about an account: first those with a price, then those known the
   * longest. Tokens that the account added do not count. Anyone can send an account any number of tokens.
   */
  maxUnlisted: z.int().min(1).max(10_000).default(200),
  /** Milliseconds after which the answers of providers and contracts are read again. */
  metadataMaxAgeMs: z.int().min(60_000).max(31_536_000_000).default(604_800_000),
  /** Timeout of one read of contracts, in milliseconds. */
  readTimeoutMs: z.int().min(100).max(60_000).default(5_000),
})

/** The catalogue's settings after parsing, defaults filled in. */
export type TokensConfig = z.output<typeof tokensConfig>
