import { accountOperations } from './accounts/operations.ts'
import { activityOperations } from './activity/operations.ts'
import { pendingOperations } from './activity/pending-operations.ts'
import { addressBookOperations } from './address-book/operations.ts'
import { addressOperations } from './addresses/operations.ts'
import { chainOperations } from './chains/operations.ts'
import { holdingsOperations } from './holdings/operations.ts'
import { identityOperations } from './identity/operations.ts'
import { noteOperations } from './notes/operations.ts'
import type { Operation } from './operation.ts'
import { poolOperations } from './pools/operations.ts'
import { referralOperations } from './referrals/operations.ts'
import { relayerOperations } from './relayer/operations.ts'
import { subdomainOperations } from './subdomains/operations.ts'
import { tokenOperations } from './tokens/operations.ts'
import { transactOperations } from './transact/operations.ts'
import { submitOperations } from './transact/submit-operations.ts'

/** The whole API: one entry per operation, in the order of the API reference. */
export const operations: readonly Operation[] = [
  ...relayerOperations,
  ...identityOperations,
  ...accountOperations,
  ...subdomainOperations,
  ...referralOperations,
  ...addressOperations,
  ...holdingsOperations,
  ...transactOperations,
  ...submitOperations,
  ...activityOperations,
  ...pendingOperations,
  ...noteOperations,
  ...addressBookOperations,
  ...chainOperations,
  ...poolOperations,
  ...tokenOperations,
]
