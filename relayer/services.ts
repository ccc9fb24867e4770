import type { Accounts } from './accounts/accounts.ts'
import type { Addresses } from './addresses/addresses.ts'
import type { Identity } from './identity/identity.ts'
import type { Withdrawals } from './withdrawals/withdrawals.ts'

/** Everything that the API can ask of the service; built once by the composition root and passed explicitly. */
export interface Services {
  withdrawals: Withdrawals
  identity: Identity
  accounts: Accounts
  addresses: Addresses
}
