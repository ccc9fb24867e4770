import { availableParallelism } from 'node:os'
import { z } from 'zod'

/** Settings of the worker threads. */
export const provingConfig = z.strictObject({
  threads: z
    .int()
    .min(1)
    .max(256)
    .default(() => availableParallelism())
    .meta({ description: 'Threads that verify proofs.', shownDefault: 'number of cores' }),
  maxQueue: z
    .int()
    .min(1)
    .max(100_000)
    .default(1_024)
    .describe('Tasks that may wait for a thread before new ones are refused.'),
  verifier: z
    .enum(['fast', 'snarkjs'])
    .default('fast')
    .describe(
      '`fast` verifies with arithmetic of this project and a sample also with snarkjs; `snarkjs` verifies all ' +
        'proofs with snarkjs, at some ten times the CPU.',
    ),
  crossCheckOneIn: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(200)
    .describe(
      'With `verifier` `fast`: about one proof in this many is also verified by snarkjs; 0 for none. ' +
        'If the two disagree, snarkjs decides, and an alarm is logged.',
    ),
  maxBatch: z.int().min(1).max(128).default(64).describe('Most proofs that are verified together.'),
  simulateTimeoutMs: z
    .int()
    .min(100)
    .max(60_000)
    .default(5_000)
    .describe(
      'Wall-clock limit of one simulation, in milliseconds. It is the upper bound of every other ' +
        '`simulateTimeoutMs`: raise it with them.',
    ),
})

/** The settings after parsing: every member has its value. */
export type ProvingConfig = z.output<typeof provingConfig>
