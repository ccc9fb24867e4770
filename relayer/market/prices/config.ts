import { z } from 'zod'
import { addressSetting } from '../../chain/nodes/config-values.ts'

const dollars = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,18}(?:\.\d{1,30})?$/, 'is not an amount of dollars such as "0.9995"')

const fixed = z.strictObject({
  kind: z.literal('fixed').describe('Kind of the source.'),
  prices: z
    .array(
      z.strictObject({
        chainId: z.int().positive().describe('The chain of a token.'),
        address: addressSetting.describe("The token's address; the zero address is the native coin."),
        usd: dollars.describe('Its price in dollars, such as `0.9995`.'),
      }),
    )
    .max(1_000)
    .describe('`fixed`: prices that never change.'),
})

const coingecko = z.strictObject({
  kind: z.literal('coingecko').describe('Kind of the source.'),
  url: z
    .url({ protocol: /^https?$/ })
    .default('https://api.coingecko.com/api/v3')
    .describe('`coingecko`: address of the API; paid plans have another.'),
  apiKey: z.string().min(1).optional().describe('`coingecko`: its API key.'),
  apiKeyHeader: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .default('x-cg-demo-api-key')
    .describe('`coingecko`: header with the key; `x-cg-pro-api-key` for paid plans.'),
  batchSize: z
    .int()
    .min(1)
    .max(500)
    .default(50)
    .describe('`coingecko`: contracts per request. The free plan allows 1, paid plans about a hundred.'),
  requestsPerMinute: z
    .int()
    .min(1)
    .max(10_000)
    .default(25)
    .describe('`coingecko`: requests a minute that the plan allows.'),
  timeoutMs: z
    .int()
    .min(100)
    .max(60_000)
    .default(10_000)
    .describe('`coingecko`: limit of one request, in milliseconds.'),
  platforms: z
    .record(
      z.string().regex(/^[1-9]\d*$/),
      z.strictObject({
        platform: z.string().min(1).max(64).optional().describe("The provider's name of the chain."),
        nativeId: z.string().min(1).max(64).optional().describe("The provider's name of the native coin."),
      }),
    )
    .default({})
    .describe(
      "`coingecko`: the provider's names of a chain and of its native coin, by chainId, in addition " +
        'to the built-in ones.',
    ),
})

const uniswapV3 = z.strictObject({
  kind: z.literal('uniswap-v3').describe('Kind of the source.'),
  pools: z
    .array(
      z.strictObject({
        chainId: z.int().positive().describe('The chain of the pool.'),
        token: addressSetting.describe(
          'The priced token; the zero address is the native coin, which the pool holds wrapped.',
        ),
        decimals: z.int().min(0).max(36).describe('Decimals of the priced token.'),
        pool: addressSetting.describe('Address of the pool.'),
        quote: addressSetting.describe("The pool's other token."),
        quoteDecimals: z.int().min(0).max(36).describe('Decimals of that token.'),
        quoteIs: z
          .enum(['usd', 'native'])
          .describe("The worth of one whole quote token: a dollar, or the chain's native coin."),
        windowSeconds: z
          .int()
          .min(60)
          .max(86_400)
          .default(1_800)
          .describe('Averaging window in seconds; a longer window is more expensive to manipulate.'),
      }),
    )
    .max(1_000)
    .describe('`uniswap-v3`: pools whose average price is read.'),
})

/** Sources of prices in US dollars; the first source that knows a token decides. */
export const pricesConfig = z.strictObject({
  sources: z
    .array(z.discriminatedUnion('kind', [fixed, coingecko, uniswapV3]))
    .default([])
    .describe('Sources of prices; the first source that knows a token decides.'),
  refreshMs: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .default(60_000)
    .describe('Milliseconds between two price rounds, across all instances.'),
  marketRefreshMs: z
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(600_000)
    .describe('Milliseconds between two rounds of markets and popular tokens.'),
  freshForMs: z
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(300_000)
    .describe('Milliseconds after which a price is stale, but usable.'),
  maxAgeMs: z
    .int()
    .min(1_000)
    .max(604_800_000)
    .default(86_400_000)
    .describe('Milliseconds after which a price counts as unknown.'),
  maxWatched: z
    .int()
    .min(1)
    .max(100_000)
    .default(5_000)
    .describe(
      "Tokens whose prices are read at most, the catalogue's first; of more, each account has its " +
        'share.',
    ),
})

/** The price settings after parsing, defaults filled in. */
export type PricesConfig = z.output<typeof pricesConfig>
/** The settings of one price source, of any kind. */
export type PriceSourceConfig = PricesConfig['sources'][number]
/** The settings of a CoinGecko source. */
export type CoingeckoConfig = z.output<typeof coingecko>
/** The settings of a source that reads Uniswap v3 pools. */
export type UniswapV3Config = z.output<typeof uniswapV3>
