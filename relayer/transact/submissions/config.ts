import { z } from 'zod'

const milliseconds = (least: number, most: number) => z.int().min(least).max(most)

/** Settings for submitting and following signed intents. Times in milliseconds. */
export const submissionsConfig = z.strictObject({
  sendWaitMs: milliseconds(0, 60_000)
    .default(5_000)
    .describe(
      "Longest wait of a submission's answer for a transaction's hash; without a hash the quote is " +
        'still queued.',
    ),
  batchWindowMs: milliseconds(0, 10_000)
    .default(100)
    .describe(
      'Time for gathering intents of different accounts when several wait; up to five times as long ' +
        'while more arrive.',
    ),
  maxBatch: z.int().min(1).max(200).default(50).describe('Most quotes in one transaction.'),
  maxBatchGas: z
    .int()
    .min(500_000)
    .max(16_777_216)
    .default(16_777_216)
    .describe("Most gas of one transaction; limited further by EIP-7825 and by a block's gas."),
  leastLifeMs: milliseconds(0, 600_000)
    .default(30_000)
    .describe(
      'Intents with less time left are not sent: mined too late, they would cost gas and pay nothing.',
    ),
  maxUnpaid: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10)
    .describe(
      'Most quotes of one account within the window below that cost unpaid gas; after that it may ' +
        'send no more.',
    ),
  maxUnpaidSwaps: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(40)
    .describe(
      'The same for swaps that failed in their block: prices move, and honest users of volatile pools ' +
        'meet that. Their gas is within `unpaidGasPerHour`.',
    ),
  maxUnderWay: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(30)
    .describe(
      'Most pending quotes of one account; after a failure no more than the limit within the window ' +
        'still allows.',
    ),
  unpaidWindowMs: milliseconds(1_000, 31_536_000_000)
    .default(86_400_000)
    .describe('The window for unpaid quotes.'),
  provenAfter: z
    .int()
    .min(1)
    .max(10_000)
    .default(5)
    .describe('Paid sends in listed tokens after which an account is no longer new.'),
  conversionSpacingMs: milliseconds(0, 86_400_000)
    .default(600_000)
    .describe(
      'Mean time between two deposits of one quote into a pool. It is random, so that the deposits do ' +
        'not show that they belong together.',
    ),
  maxAttempts: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe('Most attempts for an intent that transactions or simulations leave untouched.'),
  uncoveredWaitMs: milliseconds(0, 86_400_000)
    .default(3_600_000)
    .describe(
      'Longest wait of a quote whose fee does not cover the cost of sending. After it the quote ' +
        'fails, and its funds are released.',
    ),
  uncoveredRetryMs: milliseconds(10, 600_000)
    .default(5_000)
    .describe('Interval of the checks during that wait.'),
  retryAfterMs: milliseconds(10, 600_000)
    .default(1_000)
    .describe('Pause before the next attempt; doubled after each.'),
  stuckAfterMs: milliseconds(1_000, 86_400_000)
    .default(120_000)
    .describe('Time after which an unmined payment is shown as `stuck`.'),
  sweepMs: milliseconds(50, 600_000)
    .default(1_000)
    .describe('Interval for reading the queue without a notification.'),
  simulateTimeoutMs: milliseconds(100, 30_000).default(5_000).describe('Longest duration of one simulation.'),
  retainMs: milliseconds(0, 31_536_000_000)
    .default(600_000)
    .describe('Time between the end of signed intents and their erasure.'),
})

/** The settings of submissions after parsing, defaults filled in. */
export type SubmissionsConfig = z.output<typeof submissionsConfig>
