import { accountOperations } from './accounts/operations.ts'
import { addressOperations } from './addresses/operations.ts'
import { identityOperations } from './identity/operations.ts'
import type { Operation } from './operation.ts'
import { relayerOperations } from './relayer/operations.ts'

/** The whole API: one entry per operation, in the order of the API reference. */
export const operations: readonly Operation[] = [
  ...relayerOperations,
  ...identityOperations,
  ...accountOperations,
  ...addressOperations,
]
