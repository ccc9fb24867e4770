import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

const address = z
  .string()
  .refine((text) => isAddress(text), 'is not an address: write 0x and 40 hex digits')
  .transform((text) => getAddress(text))
const dollars = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,18}(?:\.\d{1,30})?$/, 'is not an amount of dollars such as "0.9995"')

const fixed = z.strictObject({
  kind: z.literal('fixed'),
  /** The zero address is the native coin. */
  prices: z.array(z.strictObject({ chainId: z.int().positive(), address, usd: dollars })).max(1_000),
})

const coingecko = z.strictObject({
  kind: z.literal('coingecko'),
  url: z.url({ protocol: /^https?$/ }).default('https://api.coingecko.com/api/v3'),
  apiKey: z.string().min(1).optional(),
  /** Header with the key. Paid plans use x-cg-pro-api-key and another url. */
  apiKeyHeader: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .default('x-cg-demo-api-key'),
  /** Contracts per request. The free plan allows 1, paid plans about a hundred. */
  batchSize: z.int().min(1).max(500).default(50),
  requestsPerMinute: z.int().min(1).max(10_000).default(25),
  /** Timeout of one request, in milliseconds. */
  timeoutMs: z.int().min(100).max(60_000).default(10_000),
  /** The provider's names of a chain and of its native coin, by chainId, in addition to the built-in ones. */
  platforms: z
    .record(
      z.string().regex(/^[1-9]\d*$/),
      z.strictObject({
        platform: z.string().min(1).max(64).optional(),
        nativeId: z.string().min(1).max(64).optional(),
      }),
    )
    .default({}),
})

const uniswapV3 = z.strictObject({
  kind: z.literal('uniswap-v3'),
  pools: z
    .array(
      z.strictObject({
        chainId: z.int().positive(),
        /** The priced token; the zero address is the native coin, which the pool holds wrapped. */
        token: address,
        decimals: z.int().min(0).max(36),
        pool: address,
        /** The pool's other token. */
        quote: address,
        quoteDecimals: z.int().min(0).max(36),
        /** The worth of one whole quote token: a dollar, or the chain's native coin. */
        quoteIs: z.enum(['usd', 'native']),
        /** Averaging window in seconds; a longer window is more expensive to manipulate. */
        windowSeconds: z.int().min(60).max(86_400).default(1_800),
      }),
    )
    .max(1_000),
})

/** Sources of prices in US dollars; the first source that knows a token decides. */
export const pricesConfig = z.strictObject({
  sources: z.array(z.discriminatedUnion('kind', [fixed, coingecko, uniswapV3])).default([]),
  /** Milliseconds between two price rounds, across all instances. */
  refreshMs: z.int().min(1_000).max(3_600_000).default(60_000),
  /** Milliseconds between two rounds of markets and popular tokens. */
  marketRefreshMs: z.int().min(1_000).max(86_400_000).default(600_000),
  /** Milliseconds after which a price is stale, but usable. */
  freshForMs: z.int().min(1_000).max(86_400_000).default(300_000),
  /** Milliseconds after which a price counts as unknown. */
  maxAgeMs: z.int().min(1_000).max(604_800_000).default(86_400_000),
  /** Maximum of tokens whose prices are read, the catalogue's first. */
  maxWatched: z.int().min(1).max(100_000).default(5_000),
})

/** The price settings after parsing, defaults filled in. */
export type PricesConfig = z.output<typeof pricesConfig>
/** The settings of one price source, of any kind. */
export type PriceSourceConfig = PricesConfig['sources'][number]
/** The settings of a CoinGecko source. */
export type CoingeckoConfig = z.output<typeof coingecko>
/** The settings of a source that reads Uniswap v3 pools. */
export type UniswapV3Config = z.output<typeof uniswapV3>
