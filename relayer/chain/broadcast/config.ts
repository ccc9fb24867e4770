import { z } from 'zod'

const milliseconds = (least: number, most: number) => z.int().min(least).max(most)

/** Settings of the broadcast engine. Times in milliseconds. */
export const broadcastConfig = z.strictObject({
  leaseMs: milliseconds(1_000, 600_000)
    .default(5_000)
    .describe(
      'How long a signer stays with an instance without renewal: after a crash another instance waits ' +
        'this long.',
    ),
  maxPendingPerSigner: z
    .int()
    .min(1)
    .max(1_000)
    .default(16)
    .describe('Unmined transactions of one signer at once; nodes hold 16 or more of one account.'),
  bumpAfterMs: milliseconds(100, 3_600_000)
    .default(30_000)
    .describe('A transaction that waits longer is offered at a higher price.'),
  bumpPercent: z
    .number()
    .min(12.5)
    .max(100)
    .default(12.5)
    .describe(
      'Rise of both fees in per cent; nodes refuse a replacement that rises by less than 10, some ' +
        'than 12.5.',
    ),
  maxBumps: z
    .int()
    .min(0)
    .max(100)
    .default(8)
    .describe(
      'Higher offers per transaction while the market asks neither more base fee nor more tip than it ' +
        'offers.',
    ),
  coverTolerancePercent: z
    .int()
    .min(0)
    .max(1_000)
    .default(25)
    .describe(
      "Percent by which sending may cost more than a transaction's fee covers when it is signed " +
        'first; above it, it waits.',
    ),
  maxOverrunPercent: z
    .int()
    .min(0)
    .max(10_000)
    .default(100)
    .describe(
      'Percent by which it may cost more in the end: no form of it offers more, however long it waits.',
    ),
  resendAfterMs: milliseconds(100, 3_600_000)
    .default(15_000)
    .describe(
      'An unmined transaction is sent to the nodes again this often, and a queued one reviewed. A ' +
        'transaction that nodes dropped is checked first.',
    ),
  reviewAfterMs: milliseconds(100, 3_600_000)
    .default(60_000)
    .describe(
      'A transaction that has waited this long is reviewed, and then again this often. One that can ' +
        'only fail by now is abandoned, or replaced by a transfer of nothing.',
    ),
  maxRefusals: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe('Refusals of unknown meaning after which a transaction is given up.'),
  idleLookMs: milliseconds(0, 3_600_000)
    .default(60_000)
    .describe(
      'Balances and nonces of idle signers are read this often; those of signers with pending work on ' +
        'every head.',
    ),
  minRunway: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(10)
    .describe('A signer whose balance pays for fewer transactions raises the alarm.'),
  gasPerTransaction: z
    .int()
    .min(21_000)
    .max(30_000_000)
    .default(700_000)
    .describe('Gas of one typical transaction, to compute how many a balance pays for.'),
  retainMs: milliseconds(0, 31_536_000_000)
    .default(600_000)
    .describe(
      'Calldata and signed bytes of a settled transaction are deleted after this time; until then ' +
        'they are sent again to a chain that lost blocks.',
    ),
})

/** The engine's settings after parsing, defaults filled in. */
export type BroadcastConfig = z.output<typeof broadcastConfig>
