import type { AccountServices } from '../account/open-accounts.ts'
import type { ChainServices } from '../chain/open-chains.ts'
import type { ChainConfig } from '../chain/nodes/config.ts'
import type { ServiceKeys } from '../identity/transient-secrets.ts'
import type { TokenDesk } from '../market/open-tokens.ts'
import type { PoolServices } from '../pool/open-pools.ts'
import type { ServiceBase } from '../service-base.ts'
import { createAccountChanges } from './account-changes.ts'
import { createActivity } from './create-activity.ts'
import { createPendingActivity } from './pending-activity.ts'
import { addPendingSpends } from './pending-spends.ts'

/** The districts below. */
export interface BelowActivity {
  chain: ChainServices
  market: TokenDesk
  pool: PoolServices
  account: AccountServices
}

/**
 * Opens the activity of accounts: past, pending, and the changes that their followers hear of.
 * @param config.stuckAfterMs Milliseconds after which a pending transaction counts as stuck.
 */
export function openActivity(
  { database, logger }: ServiceBase,
  { vault }: ServiceKeys,
  { chain, market: { tokens, prices }, pool: { books }, account: { provenance, apps } }: BelowActivity,
  config: { chains: ChainConfig[]; stuckAfterMs: number },
) {
  const facts = { database, chains: config.chains, tokens, prices, provenance, apps }
  const pending = createPendingActivity({ ...facts, stuckAfterMs: config.stuckAfterMs })
  return {
    activity: createActivity({ ...facts, books }),
    pendingActivity: addPendingSpends(pending, { ...facts, vault, books }),
    accountChanges: createAccountChanges(database, chain.indexer, logger),
  }
}
