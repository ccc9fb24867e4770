import { z } from 'zod'

/** Settings of the upkeep, which keeps the database quick over years of data. */
export const upkeepConfig = z.strictObject({
  everyMs: z
    .int()
    .min(100)
    .max(86_400_000)
    .default(60_000)
    .describe('Milliseconds between two rounds of folding and deleting.'),
  batchRows: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(2_000)
    .describe('Most rows that one statement folds or deletes.'),
  lapsedQuoteDays: z
    .int()
    .min(1)
    .max(36_500)
    .default(30)
    .describe('Days after which quotes that ended unsubmitted are deleted.'),
  attemptDays: z
    .int()
    .min(1)
    .max(36_500)
    .default(90)
    .describe('Days after settlement after which signed forms of transactions are deleted.'),
})

/** The settings of the upkeep after parsing, defaults filled in. */
export type UpkeepConfig = z.output<typeof upkeepConfig>
