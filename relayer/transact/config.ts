import type { z } from 'zod'
import { quotesConfig } from './quotes/config.ts'
import { submissionsConfig } from './submissions/config.ts'

/** Settings of quotes and submissions. */
export const transactConfig = quotesConfig.extend({
  submissions: submissionsConfig.prefault({}).describe('Submitting and following signed intents.'),
})

/** Settings of quotes and submissions after parsing, with defaults filled in. */
export type TransactConfig = z.output<typeof transactConfig>
