import { z } from 'zod'

const milliseconds = (least: number, most: number) => z.int().min(least).max(most)

/** Settings of the broadcast engine. Times in milliseconds. */
export const broadcastConfig = z.strictObject({
  /** How long a signer stays ours without renewal: after a crash another instance waits this long. */
  leaseMs: milliseconds(1_000, 600_000).default(15_000),
  /** Unmined transactions of one signer at once; nodes hold 16 or more of one account. */
  maxPendingPerSigner: z.int().min(1).max(1_000).default(16),
  /** A transaction that waits longer is offered at a higher price. */
  bumpAfterMs: milliseconds(100, 3_600_000).default(30_000),
  /** Rise of both fees in per cent; nodes refuse a replacement that rises by less than 10, some than 12.5. */
  bumpPercent: z.number().min(12.5).max(100).default(12.5),
  /** Higher offers per transaction while the market asks neither more base fee nor more tip than it offers. */
  maxBumps: z.int().min(0).max(100).default(8),
  /** Percent by which sending may cost more than a transaction's fee covers when it is signed first; above it, it waits. */
  coverTolerancePercent: z.int().min(0).max(1_000).default(25),
  /** Percent by which it may cost more in the end: no form of it offers more, however long it waits. */
  maxOverrunPercent: z.int().min(0).max(10_000).default(100),
  /**
   * An unmined transaction is sent to the nodes again this often, and a queued one reviewed. A transaction that nodes
   * dropped is checked first.
   */
  resendAfterMs: milliseconds(100, 3_600_000).default(15_000),
  /**
   * A transaction that has waited this long is reviewed, and then again this often. One that can only fail by now is
   * abandoned, or replaced by a transfer of nothing.
   */
  reviewAfterMs: milliseconds(100, 3_600_000).default(60_000),
  /** Refusals of unknown meaning after which a transaction is given up. */
  maxRefusals: z.int().min(1).max(100).default(5),
  /** Balances and nonces of idle signers are read this often; those of signers with pending work on every head. */
  idleLookMs: milliseconds(0, 3_600_000).default(60_000),
  /** A signer whose balance pays for fewer transactions is alarmed. */
  minRunway: z.int().min(0).max(1_000_000).default(10),
  /** Gas of one typical transaction, to compute how many a balance pays for. */
  gasPerTransaction: z.int().min(21_000).max(30_000_000).default(700_000),
  /**
   * Calldata and signed bytes of a settled transaction are deleted after this time; until then they are sent again to a
   * chain that lost blocks.
   */
  retainMs: milliseconds(0, 31_536_000_000).default(600_000),
})

/** The engine's settings after parsing, defaults filled in. */
export type BroadcastConfig = z.output<typeof broadcastConfig>
