import { z } from 'zod'

/** Settings of the public relayer. */
export const withdrawalsConfig = z.strictObject({
  quoteTtlMs: z
    .int()
    .min(5_000)
    .max(600_000)
    .default(60_000)
    .describe('Lifetime of a fee commitment, in milliseconds.'),
  extraGasFundUnits: z
    .int()
    .min(21_000)
    .max(5_000_000)
    .default(200_000)
    .describe(
      'Gas units whose price extraGas gives to the recipient in native coin: about four token ' +
        'transfers.',
    ),
  maxInHand: z
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .describe('Requests being checked, verified or simulated at once; more answer 503 SERVER_BUSY.'),
  maxPending: z
    .int()
    .min(1)
    .max(100_000)
    .default(512)
    .describe('Transactions of one chain that are not yet final; beyond it requests answer 503 SERVER_BUSY.'),
  sendWaitMs: z
    .int()
    .min(1_000)
    .max(120_000)
    .default(30_000)
    .describe(
      'Maximum wait of POST /relayer/request for a node to accept the transaction, in milliseconds; ' +
        'then it answers without the hash.',
    ),
  maxAwaiting: z
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .describe(
      'Maximum of requests that wait at once. Further ones are answered without the hash, so a ' +
        'stalled chain cannot starve the others.',
    ),
  blameRecipientAfter: z
    .int()
    .min(2)
    .max(1_000)
    .default(3)
    .describe(
      'Distinct notes whose relays must have reverted at a recipient before the recipient is refused ' +
        'for a time, for every note.',
    ),
  minRunway: z
    .int()
    .min(1)
    .max(1_000)
    .default(2)
    .describe(
      "Minimum of relays that a chain's signers can pay for at today's gas; below it no quotes are " +
        'given.',
    ),
  rootReserve: z
    .int()
    .min(0)
    .max(32)
    .default(1)
    .describe(
      "State roots reserved for deposits by strangers. A proof is refused once its root's age, the " +
        "pool's pending relays and this number reach the 64 roots that the pool remembers. Raise it for " +
        'pools with many deposits a minute.',
    ),
  simulateTimeoutMs: z
    .int()
    .min(100)
    .max(60_000)
    .default(5_000)
    .describe('Wall-clock limit of a simulation, in milliseconds.'),
})

/** The settings of the public relayer after parsing, defaults filled in. */
export type WithdrawalsConfig = z.output<typeof withdrawalsConfig>
