import { getAddress, isAddress, type Hex } from 'viem'
import { z } from 'zod'
import { MARKED_KINDS } from '../kinds/marked-kinds.ts'

const address = z
  .string()
  .refine((text) => isAddress(text), 'is not an address: write 0x and 40 hex digits')
  .transform((text) => getAddress(text))

/** Longest time for which funds stay locked, in seconds. */
const MAX_TTL_SECONDS = 86_400

/** Settings of quotes: fees, limits and times. */
export const quotesConfig = z.strictObject({
  /** Service fee in basis points of the sent amount; zero while an account's fees are waived. */
  serviceFeeBps: z.int().min(0).max(1_000).default(20),
  /** Service fee on deposits into pools, in basis points of the amount that the Entrypoint gets. */
  depositFeeBps: z.int().min(0).max(1_000).default(20),
  /** Oldest price that may be used for fees, in milliseconds. */
  feePriceMaxAgeMs: z.int().min(10_000).max(86_400_000).default(900_000),
  /**
   * Dollars of an unlisted token that the chain's pools must be able to exchange before it pays fees; with 0 only
   * listed tokens do.
   */
  minLiquidityUsd: z.int().min(0).max(1_000_000_000).default(50_000),
  /**
   * Percent by which the charged gas exceeds the measured gas, because the price may rise before a quote is submitted.
   */
  gasMarginPercent: z.int().min(5).max(300).default(20),
  /** Time for which measured gas serves further quotes, in milliseconds. */
  gasMeasureMs: z.int().min(0).max(86_400_000).default(600_000),
  /** Default time for which funds stay locked, in seconds. */
  ttlSeconds: z.int().min(30).max(MAX_TTL_SECONDS).default(MAX_TTL_SECONDS),
  /**
   * Seconds after a quote's end for which its intents may still be executed, because late submissions must still be
   * mined.
   */
  graceSeconds: z.int().min(60).max(MAX_TTL_SECONDS).default(600),
  /**
   * Seconds for which intents whose value changes may be executed: a signed exchange is an option for anyone with a
   * copy.
   */
  volatileLifeSeconds: z.int().min(120).max(3_600).default(300),
  /** Time after which clients should refresh an open quote, in milliseconds, because its price becomes stale. */
  refreshAfterMs: z
    .int()
    .min(1_000)
    .max(MAX_TTL_SECONDS * 1_000)
    .default(60_000),
  /** The same for a quote whose output changes from block to block, in milliseconds. */
  volatileRefreshAfterMs: z
    .int()
    .min(1_000)
    .max(MAX_TTL_SECONDS * 1_000)
    .default(20_000),
  /** Most addresses that one quote may spend from. */
  maxFundingAddresses: z.int().min(1).max(32).default(16),
  /**
   * Least pause between queries to nodes about one address of an account and about another, in milliseconds. The pause
   * is less than twice as long. It hides that the addresses belong together; 0 turns it off.
   */
  questionSpacingMs: z.int().min(0).max(5_000).default(500),
  /** Most gas of one intent: a recipient that burns it and then fails costs the service all of it, and pays nothing. */
  maxIntentGas: z.int().min(200_000).max(12_000_000).default(1_000_000),
  /** Receivers of sending fees, by chain; by default the relayer's. */
  feeReceivers: z.record(z.string().regex(/^[1-9]\d{0,15}$/), address).default({}),
  /** Limit of one simulation of an intent, in milliseconds. */
  simulateTimeoutMs: z.int().min(100).max(30_000).default(5_000),
  /**
   * Suffixes behind the calls of these kinds of quotes, which mark the service's transactions in public for ever. They
   * are codes (ERC-8021), and the integrator's id (two bytes) behind deposits with Across. None unless set, and never
   * behind a plain send.
   */
  attribution: z
    .strictObject({
      codes: z
        .array(z.string().regex(/^[\x21-\x2b\x2d-\x7e]{1,32}$/, 'is visible ASCII without commas'))
        .max(6)
        .default([]),
      acrossIntegratorId: z
        .string()
        .regex(/^0x[0-9a-f]{4}$/, 'is 0x and four lower-case hex digits')
        .transform((id) => id as Hex)
        .optional(),
      kinds: z.array(z.enum(MARKED_KINDS)).min(1),
    })
    .optional(),
  /** Interval for releasing the funds of expired quotes, in milliseconds. */
  expireEveryMs: z.int().min(50).max(600_000).default(1_000),
  /** P-256 key that signs quotes, PKCS#8 in PEM; by default the instances share one that is sealed in the database. */
  quoteKey: z.string().startsWith('-----BEGIN').optional(),
})

/** The settings of quotes after parsing, defaults filled in. */
export type QuotesConfig = z.output<typeof quotesConfig>
