import { z } from 'zod'

/** Settings of the upkeep, which keeps the database quick over years of data. */
export const upkeepConfig = z.strictObject({
  /** Milliseconds between two rounds. */
  everyMs: z.int().min(100).max(86_400_000).default(60_000),
  /** Most rows that one statement folds or deletes. */
  batchRows: z.int().min(1).max(1_000_000).default(2_000),
  /** Days after which quotes that ended unsubmitted are deleted. */
  lapsedQuoteDays: z.int().min(1).max(36_500).default(30),
  /** Days after settlement after which signed forms of transactions are deleted. */
  attemptDays: z.int().min(1).max(36_500).default(90),
})

/** The settings of the upkeep after parsing, defaults filled in. */
export type UpkeepConfig = z.output<typeof upkeepConfig>
