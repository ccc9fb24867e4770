import { createSharedBudget, type SharedBudget } from '../../relayer/shares/shared-budget.ts'

/** Reads of pools that all clients together may cause in a minute, in each instance of the service. */
const READS = 6_000

/** Creates the budget of the calls that the wallet's page has the operator's nodes make: they need no token. */
export const createReadBudget = (): SharedBudget => createSharedBudget({ whole: READS, windowMs: 60_000 })
