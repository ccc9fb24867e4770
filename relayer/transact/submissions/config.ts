import { z } from 'zod'

const milliseconds = (least: number, most: number) => z.int().min(least).max(most)

/** Submitting and following signed intents. Times in milliseconds. */
export const submissionsConfig = z.strictObject({
  /** How long a submission's answer waits for a transaction's hash; without it the quote is still queued. */
  sendWaitMs: milliseconds(0, 60_000).default(5_000),
  /** For how long intents of different accounts are gathered when more than one waits; up to five times as long while more come. */
  batchWindowMs: milliseconds(0, 10_000).default(100),
  /** Quotes in one transaction at most. */
  maxBatch: z.int().min(1).max(200).default(50),
  /** Gas of one transaction at most; never more than EIP-7825 allows, or a block has. */
  maxBatchGas: z.int().min(500_000).max(16_777_216).default(16_777_216),
  /** Intents with less time left are not sent: mined too late, they would cost us gas and pay nothing. */
  leastLifeMs: milliseconds(0, 600_000).default(30_000),
  /** Quotes of one account within the window below whose gas we may have paid for nothing; then it sends no more. */
  maxUnpaid: z.int().min(1).max(1_000_000).default(10),
  /** The same of swaps that failed in their block: prices move, and honest users of volatile pools meet that. */
  maxUnpaidSwaps: z.int().min(1).max(1_000_000).default(40),
  /** Quotes of one account that may be under way at once; with such failures no more than the window has room for. */
  maxUnderWay: z.int().min(1).max(1_000_000).default(30),
  unpaidWindowMs: milliseconds(1_000, 31_536_000_000).default(86_400_000),
  /** Confirmed payments that make an account a proven one: those that are not share a quarter of a chain's unpaid gas. */
  provenAfter: z.int().min(1).max(10_000).default(5),
  /**
   * Between two deposits of one quote into a pool, on average: the time is random, so that they do not show that they belong
   * together.
   */
  conversionSpacingMs: milliseconds(0, 86_400_000).default(600_000),
  /** How often an intent is tried that transactions or simulations leave untouched. */
  maxAttempts: z.int().min(1).max(100).default(5),
  /**
   * A quote whose fee does not cover the cost of sending waits so long for a lower price. Then it fails, and its funds are
   * released.
   */
  uncoveredWaitMs: milliseconds(0, 86_400_000).default(3_600_000),
  /** Interval of its checks meanwhile. */
  uncoveredRetryMs: milliseconds(10, 600_000).default(5_000),
  /** Before the next attempt; twice as long after each. */
  retryAfterMs: milliseconds(10, 600_000).default(1_000),
  /** A relay that is not mined by then is called stuck. */
  stuckAfterMs: milliseconds(1_000, 86_400_000).default(120_000),
  /** Milliseconds between two reads of the queue without a notification. */
  sweepMs: milliseconds(50, 600_000).default(1_000),
  /** Limit of one simulation. */
  simulateTimeoutMs: milliseconds(100, 30_000).default(5_000),
  /** Signed intents are erased so long after they ended. */
  retainMs: milliseconds(0, 31_536_000_000).default(600_000),
})

/** The settings of submissions after parsing, defaults filled in. */
export type SubmissionsConfig = z.output<typeof submissionsConfig>
