import { isHex, type Hex } from 'viem'
import { z } from 'zod'
import { addressSetting, wei } from './config-values.ts'

/** Three capital letters, as ISO 4217 has them. */
const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'is not a currency such as "USD"')

/** The contracts of Uniswap, or of a fork with the same interfaces, through which swaps go. */
const uniswapConfig = z.strictObject({
  /** SwapRouter02, which executes. */
  router: addressSetting,
  /** QuoterV2, which quotes pools of v3. */
  quoter: addressSetting,
  v3Factory: addressSetting,
  /** Without it pairs of v2 are not used. */
  v2Factory: addressSetting.optional(),
  /** Fees of v3 pools to look for, in hundredths of a basis point. */
  feeTiers: z.array(z.int().positive().max(999_999)).min(1).max(6).default([100, 500, 3_000, 10_000]),
  /** Tokens that a path may go through, besides the wrapped native coin. */
  baseTokens: z.array(addressSetting).max(5).default([]),
  /** Limit of a node's search for the best path, in milliseconds. */
  timeoutMs: z.int().min(50).max(30_000).default(3_000),
})

/** The contracts of Across on one chain, and the service that quotes transfers. */
const acrossConfig = z.strictObject({
  spokePool: addressSetting,
  /** Without it nothing is swapped after a bridge to this chain. */
  multicallHandler: addressSetting.optional(),
  /** Base URL of `suggested-fees`. */
  feesUrl: z.url({ protocol: /^https?$/ }),
  /** Limit of its answer, in milliseconds. */
  timeoutMs: z.int().min(50).max(30_000).default(3_000),
  /** Transfers from this chain whose fee is higher are refused, in basis points of the amount. */
  maxFeeBps: z.int().min(1).max(5_000).default(300),
  /** Seconds that fillers have; no longer than the SpokePool allows. */
  fillDeadlineSeconds: z.int().min(300).max(86_400).default(3_600),
  /** Tokens that it carries: those with one asset correspond on two chains. */
  tokens: z
    .array(z.strictObject({ asset: z.string().min(1).max(16), token: addressSetting }))
    .min(1)
    .max(32),
})

/** The escrow of Peer on one chain, by which people sell tokens for money, and the curator that knows payees. */
const peerConfig = z
  .strictObject({
    escrow: addressSetting,
    orchestrator: addressSetting,
    /** Registers payees: it learns their handles. */
    curatorUrl: z.url({ protocol: /^https?$/ }),
    /** Limit of its answer, in milliseconds. */
    timeoutMs: z.int().min(50).max(30_000).default(3_000),
    /** The curator's signer, whose signature a buyer needs. */
    gatingService: addressSetting,
    /** Tokens for sale. */
    tokens: z.array(addressSetting).min(1).max(8),
    /** Payment apps by the escrow's names for them, and the currencies that each pays. */
    methods: z
      .array(
        z.strictObject({
          name: z.string().regex(/^[a-z0-9-]{1,32}$/, 'is not a name such as "venmo"'),
          currencies: z.array(currencyCode).min(1).max(64),
        }),
      )
      .min(1)
      .max(64)
      .refine(
        (methods) => new Set(methods.map(({ name }) => name)).size === methods.length,
        'names one twice',
      ),
    /** The feed by which the escrow prices each currency. */
    rates: z
      .array(
        z.strictObject({
          currency: currencyCode,
          /** The escrow's adapter of the feed. */
          adapter: addressSetting,
          /** The configuration that the escrow passes to the adapter, in the adapter's format. */
          adapterConfig: z.custom<Hex>((value) => isHex(value), 'is not hex'),
          /** Added to the feed's rate, in basis points. */
          spreadBps: z.int().min(-2_000).max(2_000).default(0),
        }),
      )
      .min(1)
      .max(64),
    /** Older prices of the feed stop the sale; in seconds. */
    maxRateAgeSeconds: z.int().min(60).max(604_800).default(3_600),
    /** Basis points by which the feed may fall below the rate of the quote. */
    rateToleranceBps: z.int().min(0).max(2_000).default(200),
    /** The least amount of one purchase, in the smallest unit. */
    minIntentAmount: wei.refine((amount) => amount > 0n, 'has to be more than 0'),
    /** A page about a deposit, with {escrow} and {depositId}. */
    depositUrl: z
      .string()
      .refine(
        (url) => /^https?:\/\//.test(url) && url.includes('{depositId}'),
        'is not a URL with {depositId}',
      )
      .optional(),
  })
  .refine(
    ({ methods, rates }) =>
      methods.some(({ currencies }) => rates.some(({ currency }) => currencies.includes(currency))),
    { path: ['methods'], message: 'pays no currency that `rates` prices: nothing could be sold' },
  )

/** An aggregator that speaks KyberSwap's protocol. */
const kyberswapConfig = z.strictObject({
  /** Its API, without the chain: https://aggregator-api.kyberswap.com */
  url: z.url({ protocol: /^https?$/ }),
  /** The API's name for the chain. */
  chain: z.string().regex(/^[a-z0-9-]{1,32}$/, 'is not a name such as "base"'),
  /** The contract that is called; an answer that names another one is refused. */
  router: addressSetting,
  /** The contract that pulls the spent token, if not the router. */
  spender: addressSetting.optional(),
})

/** Exchanges and bridges on a chain; a venue that is not named is not used. */
export const venuesConfig = z
  .strictObject({
    uniswap: uniswapConfig.optional(),
    across: acrossConfig.optional(),
    peer: peerConfig.optional(),
    /** Asked only where the pools have no path. */
    kyberswap: kyberswapConfig.optional(),
    /** OutputGuard, which enforces an aggregator's minimum output. */
    outputGuard: addressSetting.optional(),
  })
  .refine(({ kyberswap, outputGuard }) => !kyberswap || outputGuard, {
    path: ['kyberswap'],
    message: 'needs `outputGuard` beside it: the minimum is demanded there',
  })

/** The pools of one chain that swaps go through. */
export type UniswapConfig = z.output<typeof uniswapConfig>
/** The aggregator of one chain. */
export type KyberswapConfig = z.output<typeof kyberswapConfig>
/** The bridge of one chain. */
export type AcrossConfig = z.output<typeof acrossConfig>
/** The escrow of one chain at which accounts cash out. */
export type PeerConfig = z.output<typeof peerConfig>
