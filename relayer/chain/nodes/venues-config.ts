import { isHex, type Hex } from 'viem'
import { z } from 'zod'
import { addressSetting, wei } from './config-values.ts'

/** Three capital letters, as ISO 4217 has them. */
const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'is not a currency such as "USD"')

/** The contracts of Uniswap, or of a fork with the same interfaces, through which swaps go. */
const uniswapConfig = z.strictObject({
  /** SwapRouter02, which executes. */
  router: addressSetting,
  /** QuoterV2, which says what pools of v3 give. */
  quoter: addressSetting,
  v3Factory: addressSetting,
  /** Without it pairs of v2 are left out. */
  v2Factory: addressSetting.optional(),
  /** Fees of v3 pools that are looked for, in hundredths of a basis point. */
  feeTiers: z.array(z.int().positive().max(999_999)).min(1).max(6).default([100, 500, 3_000, 10_000]),
  /** Tokens that a path may go through, besides the wrapped native coin. */
  baseTokens: z.array(addressSetting).max(5).default([]),
  /** How long a node may search for the best path. */
  timeoutMs: z.int().min(50).max(30_000).default(3_000),
})

/** The contracts of Across on one chain, and the service that says what a transfer costs. */
const acrossConfig = z.strictObject({
  spokePool: addressSetting,
  /** Without it nothing is swapped after a bridge to this chain. */
  multicallHandler: addressSetting.optional(),
  /** Where `suggested-fees` is asked. */
  feesUrl: z.url({ protocol: /^https?$/ }),
  /** How long its answer is waited for. */
  timeoutMs: z.int().min(50).max(30_000).default(3_000),
  /** Transfers from this chain whose fee is higher are refused, in basis points of the amount. */
  maxFeeBps: z.int().min(1).max(5_000).default(300),
  /** How long fillers have; no longer than the SpokePool allows. */
  fillDeadlineSeconds: z.int().min(300).max(86_400).default(3_600),
  /** Tokens that it carries: those with one asset are each other's on two chains. */
  tokens: z
    .array(z.strictObject({ asset: z.string().min(1).max(16), token: addressSetting }))
    .min(1)
    .max(32),
})

/** The escrow of Peer on one chain, by which people sell tokens for money, and the curator who knows payees. */
const peerConfig = z
  .strictObject({
    escrow: addressSetting,
    orchestrator: addressSetting,
    /** Registers payees: it learns their handles. */
    curatorUrl: z.url({ protocol: /^https?$/ }),
    /** How long its answer is waited for. */
    timeoutMs: z.int().min(50).max(30_000).default(3_000),
    /** Whose signature a buyer needs: the curator's signer. */
    gatingService: addressSetting,
    /** What is sold. */
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
    /** By which feed the escrow prices each currency. */
    rates: z
      .array(
        z.strictObject({
          currency: currencyCode,
          /** The escrow's adapter of the feed. */
          adapter: addressSetting,
          /** What the adapter is told, as it says. */
          adapterConfig: z.custom<Hex>((value) => isHex(value), 'is not hex'),
          /** Added to the feed's rate, in basis points. */
          spreadBps: z.int().min(-2_000).max(2_000).default(0),
        }),
      )
      .min(1)
      .max(64),
    /** Prices of the feed that are older stop the sale. */
    maxRateAgeSeconds: z.int().min(60).max(604_800).default(3_600),
    /** So far below the rate of the quote the feed may fall, in basis points. */
    rateToleranceBps: z.int().min(0).max(2_000).default(200),
    /** The least that a buyer may take at once, smallest unit. */
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
  /** Who takes the spent token, if that is not the router. */
  spender: addressSetting.optional(),
})

/** Where the service exchanges and bridges on a chain; a venue that is not named is not used. */
export const venuesConfig = z
  .strictObject({
    uniswap: uniswapConfig.optional(),
    across: acrossConfig.optional(),
    peer: peerConfig.optional(),
    /** Asked only where the pools have no path. */
    kyberswap: kyberswapConfig.optional(),
    /** OutputGuard, which holds an aggregator to the minimum. */
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
