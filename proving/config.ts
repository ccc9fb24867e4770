import { availableParallelism } from 'node:os'
import { z } from 'zod'

/** Settings of the worker threads. */
export const provingConfig = z.strictObject({
  /** Threads that verify proofs; one for each core by default. */
  threads: z
    .int()
    .min(1)
    .max(256)
    .default(() => availableParallelism()),
  /** Tasks that may wait for a thread before new ones are refused. */
  maxQueue: z.int().min(1).max(100_000).default(1_024),
  /** Most proofs that are verified together. */
  maxBatch: z.int().min(1).max(128).default(64),
  /** Wall-clock limit of one simulation, in milliseconds. */
  simulateTimeoutMs: z.int().min(100).max(60_000).default(5_000),
})

/** The settings after parsing: every member has its value. */
export type ProvingConfig = z.output<typeof provingConfig>
