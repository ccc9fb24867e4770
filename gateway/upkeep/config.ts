import { z } from 'zod'

/** What is done to the database so that years of data stay quick to read. */
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
    .describe('Rows that one statement folds or deletes at most.'),
  lapsedQuoteDays: z
    .int()
    .min(1)
    .max(36_500)
    .default(30)
    .describe('Quotes that ended without being submitted are deleted so many days later.'),
  attemptDays: z
    .int()
    .min(1)
    .max(36_500)
    .default(90)
    .describe('Signed forms of transactions are deleted so many days after these were settled.'),
})

/** The settings of the upkeep after parsing, defaults filled in. */
export type UpkeepConfig = z.output<typeof upkeepConfig>
