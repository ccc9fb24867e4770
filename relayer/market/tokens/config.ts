import { z } from 'zod'
import { addressSetting } from '../../chain/nodes/config-values.ts'

const tokenName = z.strictObject({
  chainId: z.int().positive().describe('The chain of the token.'),
  address: addressSetting.meta({ title: 'address', description: 'Its address.' }),
})

/** Settings of the token catalogue. */
export const tokensConfig = z.strictObject({
  list: z
    .union(
      [
        z.literal('default'),
        z.literal('none'),
        z.strictObject({
          file: z.string().min(1).describe('A file of the Token Lists standard.'),
        }),
        z.strictObject({
          url: z.url({ protocol: /^https?$/ }).describe('An address of such a list, read once a day.'),
        }),
      ],
      'is none of "default", "none", {"file": …} and {"url": …}',
    )
    .default('default')
    .describe(
      'A list of the Token Lists standard: the built-in one, a file, or a URL that is read once a day.',
    ),
  pinnedSymbols: z
    .array(z.string().min(1).max(32))
    .max(100)
    .default(['ETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'WETH'])
    .describe('Symbols that clients show first.'),
  partners: z
    .array(tokenName)
    .max(1_000)
    .default([])
    .describe('Tokens of partners, which are listed in addition.'),
  maxPerAccount: z
    .int()
    .min(1)
    .max(10_000)
    .default(500)
    .describe('Maximum of tokens that one account may add.'),
  maxUnlisted: z
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe(
      'Maximum of unlisted tokens in one answer about an account: first those with a price, then ' +
        'those known the longest. Tokens that the account added do not count. Anyone can send an ' +
        'account any number of tokens.',
    ),
  metadataMaxAgeMs: z
    .int()
    .min(60_000)
    .max(31_536_000_000)
    .default(604_800_000)
    .describe('Milliseconds after which the answers of providers and contracts are read again.'),
  readTimeoutMs: z
    .int()
    .min(100)
    .max(60_000)
    .default(5_000)
    .describe('Timeout of one read of contracts, in milliseconds.'),
})

/** The catalogue's settings after parsing, defaults filled in. */
export type TokensConfig = z.output<typeof tokensConfig>
