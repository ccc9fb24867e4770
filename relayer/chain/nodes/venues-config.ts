import { z } from 'zod'
import { addressSetting } from './config-values.ts'

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
