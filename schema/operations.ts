import { accountOperations } from './account/profile/operations.ts'
import { activityOperations } from './activity/operations.ts'
import { pendingOperations } from './activity/pending-operations.ts'
import { addressBookOperations } from './account/address-book/operations.ts'
import { addressOperations } from './account/addresses/operations.ts'
import { chainOperations } from './chain/operations.ts'
import { holdingsOperations } from './account/balances/operations.ts'
import { identityOperations } from './identity/operations.ts'
import { noteOperations } from './account/notes/operations.ts'
import type { Operation } from './define/operation.ts'
import { poolOperations } from './pool/state/operations.ts'
import { referralOperations } from './account/referrals/operations.ts'
import { relayerOperations } from './pool/relay/operations.ts'
import { subdomainOperations } from './account/subdomains/operations.ts'
import { tokenOperations } from './market/tokens/operations.ts'
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
