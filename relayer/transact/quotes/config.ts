import type { Hex } from 'viem'
import { z } from 'zod'
import { addressSetting } from '../../chain/nodes/config-values.ts'
import { MARKED_KINDS } from '../kinds/quote-kind.ts'

/** Longest time for which funds stay locked, in seconds. */
const MAX_TTL_SECONDS = 86_400

/** Settings of quotes: fees, limits and times. */
export const quotesConfig = z.strictObject({
  serviceFeeBps: z
    .int()
    .min(0)
    .max(1_000)
    .default(20)
    .describe("Service fee in basis points of the sent amount; zero while an account's fees are waived."),
  depositFeeBps: z
    .int()
    .min(0)
    .max(1_000)
    .default(20)
    .describe('Service fee on deposits into pools, in basis points of the amount that the Entrypoint gets.'),
  feePriceMaxAgeMs: z
    .int()
    .min(10_000)
    .max(86_400_000)
    .default(900_000)
    .describe('Oldest price that may be used for fees, in milliseconds.'),
  minLiquidityUsd: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(50_000)
    .describe(
      "Dollars of an unlisted token that the chain's Uniswap pools must be able to exchange before it " +
        'pays fees; with 0 only listed tokens do.',
    ),
  gasMarginPercent: z
    .int()
    .min(5)
    .max(300)
    .default(20)
    .describe(
      'Percent by which the charged gas exceeds the measured gas, because the price may rise before a ' +
        'quote is submitted. The fee is then rounded up, by an eighth at most.',
    ),
  gasMeasureMs: z
    .int()
    .min(0)
    .max(86_400_000)
    .default(600_000)
    .describe('Time for which measured gas serves further quotes, in milliseconds.'),
  ttlSeconds: z
    .int()
    .min(30)
    .max(MAX_TTL_SECONDS)
    .default(MAX_TTL_SECONDS)
    .describe('Time for which funds stay locked unless the client names another, in seconds.'),
  graceSeconds: z
    .int()
    .min(60)
    .max(MAX_TTL_SECONDS)
    .default(600)
    .describe(
      "Seconds after a quote's end for which its intents may still be executed, because late " +
        'submissions must still be mined. They end at the next full hour, and never more than 25 hours ' +
        'after the quote was made.',
    ),
  volatileLifeSeconds: z
    .int()
    .min(120)
    .max(3_600)
    .default(300)
    .describe(
      'Least time for which intents of exchanges, bridges, cash-outs and app calls may be executed, ' +
        'in seconds; they end at the next multiple of five minutes. A signed exchange is an option for ' +
        'anyone with a copy.',
    ),
  refreshAfterMs: z
    .int()
    .min(1_000)
    .max(MAX_TTL_SECONDS * 1_000)
    .default(60_000)
    .describe(
      'Time after which clients should refresh an open quote, in milliseconds, because its price ' +
        'becomes stale.',
    ),
  volatileRefreshAfterMs: z
    .int()
    .min(1_000)
    .max(MAX_TTL_SECONDS * 1_000)
    .default(20_000)
    .describe('The same for a quote whose output changes from block to block, in milliseconds.'),
  maxFundingAddresses: z
    .int()
    .min(1)
    .max(32)
    .default(16)
    .describe('Most addresses that one quote may spend from.'),
  questionSpacingMs: z
    .int()
    .min(0)
    .max(5_000)
    .default(500)
    .describe(
      'Least pause between queries to nodes about two addresses of one account, in milliseconds, at ' +
        'most twice as long. It hides that the addresses belong together; 0 turns it off. With more ' +
        'than four addresses the pauses are shorter, together like three: a quote of 16 takes two to ' +
        'three seconds by it.',
    ),
  maxIntentGas: z
    .int()
    .min(200_000)
    .max(12_000_000)
    .default(1_000_000)
    .describe(
      'Most gas of one intent: a recipient that burns it and then fails costs the service all of it, ' +
        'and pays nothing.',
    ),
  feeReceivers: z
    .record(z.string().regex(/^[1-9]\d{0,15}$/), addressSetting)
    .default({})
    .describe("Receivers of sending fees, by chain; by default the relayer's."),
  simulateTimeoutMs: z
    .int()
    .min(100)
    .max(30_000)
    .default(5_000)
    .describe('Limit of one simulation of an intent, in milliseconds.'),
  attribution: z
    .strictObject({
      codes: z
        .array(z.string().regex(/^[\x21-\x2b\x2d-\x7e]{1,32}$/, 'is visible ASCII without commas'))
        .max(6)
        .default([])
        .describe('Codes (ERC-8021).'),
      acrossIntegratorId: z
        .string()
        .regex(/^0x[0-9a-f]{4}$/, 'is 0x and four lower-case hex digits')
        .transform((id) => id as Hex)
        .optional()
        .describe("The integrator's id, two bytes, behind deposits with Across in the place of the codes."),
      kinds: z.array(z.enum(MARKED_KINDS)).min(1).describe('The kinds of quotes that carry them.'),
    })
    .optional()
    .describe(
      "Suffixes behind the calls of some kinds of quotes, which mark the service's transactions in " +
        'public for ever. Leave it out unless a venue asks for it. Wallets are told of each, and plain ' +
        'sends never carry any.',
    ),
  expireEveryMs: z
    .int()
    .min(50)
    .max(600_000)
    .default(1_000)
    .describe('Interval for releasing the funds of expired quotes, in milliseconds.'),
  quoteKey: z
    .string()
    .startsWith('-----BEGIN')
    .optional()
    .describe(
      'P-256 key that signs quotes, PKCS#8 in PEM; by default the instances share one that is sealed ' +
        'in the database.',
    ),
})

/** The settings of quotes after parsing, defaults filled in. */
export type QuotesConfig = z.output<typeof quotesConfig>
