import type { z } from 'zod'
import { quotesConfig } from './quotes/config.ts'
import { submissionsConfig } from './submissions/config.ts'

/** Settings of sending: quotes and submissions. */
export const transactConfig = quotesConfig.extend({ submissions: submissionsConfig.prefault({}) })

/** The settings of sending after parsing, defaults filled in. */
export type TransactConfig = z.output<typeof transactConfig>
