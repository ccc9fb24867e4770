import { isHex, type Hex } from 'viem'
import { z } from 'zod'
import { addressSetting, wei } from './config-values.ts'

/** Three capital letters, as ISO 4217 has them. */
const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'is not a currency such as "USD"')

/** The contracts of Uniswap, or of a fork with the same interfaces, through which swaps go. */
const uniswapConfig = z.strictObject({
  router: addressSetting.describe('SwapRouter02, which executes.'),
  quoter: addressSetting.describe('QuoterV2, which quotes pools of v3.'),
  v3Factory: addressSetting.describe("Uniswap's factory of v3."),
  v2Factory: addressSetting.optional().describe('Its factory of v2; without it pairs of v2 are not used.'),
  feeTiers: z
    .array(z.int().positive().max(999_999))
    .min(1)
    .max(6)
    .default([100, 500, 3_000, 10_000])
    .describe('Fees of v3 pools to look for, in hundredths of a basis point.'),
  baseTokens: z
    .array(addressSetting)
    .max(5)
    .default([])
    .describe(
      'Tokens that a path may go through, besides the wrapped native coin. Each makes a quote dearer ' +
        'for the node.',
    ),
  timeoutMs: z
    .int()
    .min(50)
    .max(30_000)
    .default(3_000)
    .describe("Limit of a node's search for the best path, in milliseconds; after it the quote answers 503."),
})

/** The contracts of Across on one chain, and the service that quotes transfers. */
const acrossConfig = z.strictObject({
  spokePool: addressSetting.describe('The contract that takes deposits.'),
  multicallHandler: addressSetting
    .optional()
    .describe('Without it nothing is swapped after a bridge to this chain.'),
  feesUrl: z
    .url({ protocol: /^https?$/ })
    .describe(
      'Address where `suggested-fees` is asked, that word included. The service learns pairs, amounts ' +
        'and the swap after the bridge, and no address.',
    ),
  timeoutMs: z.int().min(50).max(30_000).default(3_000).describe('Limit of its answer, in milliseconds.'),
  maxFeeBps: z
    .int()
    .min(1)
    .max(5_000)
    .default(300)
    .describe('Transfers from this chain whose fee is higher are refused, in basis points of the amount.'),
  fillDeadlineSeconds: z
    .int()
    .min(300)
    .max(86_400)
    .default(3_600)
    .describe(
      'Seconds that fillers have; no longer than the SpokePool allows. A quote must be submitted in ' +
        'half of it.',
    ),
  tokens: z
    .array(
      z.strictObject({
        asset: z.string().min(1).max(16).describe('Tokens with the same asset correspond on two chains.'),
        token: addressSetting.describe('Contract of the token on this chain.'),
      }),
    )
    .min(1)
    .max(32)
    .describe('Tokens that it carries.'),
})

/** The escrow of Peer on one chain, by which people sell tokens for money, and the curator that knows payees. */
const peerConfig = z
  .strictObject({
    escrow: addressSetting.describe('The contract that holds what is sold.'),
    orchestrator: addressSetting.describe("The contract that takes buyers' intents and proofs of payment."),
    curatorUrl: z
      .url({ protocol: /^https?$/ })
      .describe(
        'Address of the curator. It registers payees, and so learns every handle; never an address or ' +
          'an amount.',
      ),
    timeoutMs: z.int().min(50).max(30_000).default(3_000).describe('Limit of its answer, in milliseconds.'),
    gatingService: addressSetting.describe(
      "Address of the curator's signer, whose signature every buyer needs.",
    ),
    tokens: z.array(addressSetting).min(1).max(8).describe('Tokens for sale.'),
    methods: z
      .array(
        z.strictObject({
          name: z
            .string()
            .regex(/^[a-z0-9-]{1,32}$/, 'is not a name such as "venmo"')
            .describe("The escrow's name of a payment app, such as `venmo`."),
          currencies: z
            .array(currencyCode)
            .min(1)
            .max(64)
            .describe('Currencies that it pays, such as `USD`.'),
        }),
      )
      .min(1)
      .max(64)
      .refine(
        (methods) => new Set(methods.map(({ name }) => name)).size === methods.length,
        'names one twice',
      )
      .describe("Payment apps by the escrow's names for them, and the currencies that each pays."),
    rates: z
      .array(
        z.strictObject({
          currency: currencyCode.describe('One of those currencies.'),
          adapter: addressSetting.describe("The escrow's adapter of the feed."),
          adapterConfig: z
            .custom<Hex>((value) => isHex(value), 'is not hex')
            .meta({ title: 'hex', description: 'The configuration that the escrow passes to the adapter.' }),
          spreadBps: z
            .int()
            .min(-2_000)
            .max(2_000)
            .default(0)
            .describe("Added to the feed's rate, in basis points."),
        }),
      )
      .min(1)
      .max(64)
      .describe('The feed by which the escrow prices each currency.'),
    maxRateAgeSeconds: z
      .int()
      .min(60)
      .max(604_800)
      .default(3_600)
      .describe('Older prices of the feed stop the sale; in seconds.'),
    rateToleranceBps: z
      .int()
      .min(0)
      .max(2_000)
      .default(200)
      .describe('Basis points by which the feed may fall below the rate of the quote before the sale stops.'),
    minIntentAmount: wei
      .refine((amount) => amount > 0n, 'has to be more than 0')
      .describe('The least amount of one purchase, in the smallest unit.'),
    depositUrl: z
      .string()
      .refine(
        (url) => /^https?:\/\//.test(url) && url.includes('{depositId}'),
        'is not a URL with {depositId}',
      )
      .optional()
      .describe('Address of a page about a deposit, with `{escrow}` and `{depositId}` in it.'),
  })
  .refine(
    ({ methods, rates }) =>
      methods.some(({ currencies }) => rates.some(({ currency }) => currencies.includes(currency))),
    { path: ['methods'], message: 'pays no currency that `rates` prices: nothing could be sold' },
  )

/** An aggregator that speaks KyberSwap's protocol. */
const kyberswapConfig = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .describe('Its API without the chain, such as `https://aggregator-api.kyberswap.com`.'),
  chain: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'is not a name such as "base"')
    .describe("The API's name for the chain, such as `base`."),
  router: addressSetting.describe(
    'The contract that is called; an answer that names another one is refused.',
  ),
  spender: addressSetting.optional().describe('The contract that pulls the spent token, if not the router.'),
})

/** Exchanges and bridges on a chain; a venue that is not named is not used. */
export const venuesConfig = z
  .strictObject({
    uniswap: uniswapConfig
      .optional()
      .describe(
        'The contracts of Uniswap, or of a fork with the same interfaces and the same address of each ' +
          "pool. `wrappedNative` must be the router's own (`WETH9()`).",
      ),
    across: acrossConfig
      .optional()
      .describe(
        'Without it nothing is bridged from or to the chain any more. Pending orders are followed to ' +
          'their end by the contracts that were configured last, and a warning at the start says so. ' +
          'The orders of a chain that is removed altogether stay as they were.',
      ),
    peer: peerConfig
      .optional()
      .describe(
        'The escrow (EscrowV2) and orchestrator of Peer, where accounts sell tokens for money on a ' +
          'bank or payment app. Payout handles are personal data: see SECURITY.md. Without it nothing ' +
          'new is cashed out; pending orders are followed to their end.',
      ),
    kyberswap: kyberswapConfig
      .optional()
      .describe(
        'An aggregator, asked only for tokens between which `uniswap` has no path. It learns the pair ' +
          'and the amount, and for a quote the address that gets the output, which is then offered to ' +
          'no other quote. Its answers are not trusted: the service runs the calls before the owner ' +
          'signs them, and `outputGuard` holds them to the minimum on chain.',
      ),
    outputGuard: addressSetting
      .optional()
      .describe(
        "Address of OutputGuard, which enforces an aggregator's minimum output. The aggregator is not " +
          'used without it, nor where its code is missing.',
      ),
  })
  .refine(({ kyberswap, outputGuard }) => !kyberswap || outputGuard, {
    path: ['kyberswap'],
    message: 'needs `outputGuard` beside it: the minimum is demanded there',
  })

type VenuesConfig = z.output<typeof venuesConfig>

/** The service that each setting of `venues` offers on its chain; null for a setting that is no venue. */
const OFFERS = {
  uniswap: 'swap',
  across: 'bridge',
  peer: 'cash_out',
  kyberswap: 'swap',
  outputGuard: null,
} as const satisfies Record<keyof VenuesConfig, 'swap' | 'bridge' | 'cash_out' | null>

/** Lists the services that a chain's venues offer. */
export const listOffers = (venues: VenuesConfig) =>
  (Object.keys(OFFERS) as (keyof VenuesConfig)[])
    .filter((name) => venues[name] !== undefined)
    .map((name) => OFFERS[name])

/** The pools of one chain that swaps go through. */
export type UniswapConfig = z.output<typeof uniswapConfig>
/** The aggregator of one chain. */
export type KyberswapConfig = z.output<typeof kyberswapConfig>
/** The bridge of one chain. */
export type AcrossConfig = z.output<typeof acrossConfig>
/** The escrow of one chain at which accounts cash out. */
export type PeerConfig = z.output<typeof peerConfig>
