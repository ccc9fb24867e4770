import type { Accounts } from './accounts/accounts.ts'
import type { AddressBook } from './accounts/address-book/address-book.ts'
import type { Notes } from './accounts/notes/notes.ts'
import type { Referrals } from './accounts/referrals/referrals.ts'
import type { NameGateway } from './accounts/subdomains/lookup/name-gateway.ts'
import type { Subdomains } from './accounts/subdomains/subdomains.ts'
import type { AccountChanges } from './activity/account-changes.ts'
import type { Activity } from './activity/activity.ts'
import type { PendingActivity } from './activity/pending.ts'
import type { Addresses } from './addresses/addresses.ts'
import type { SupportedChain } from './chains/supported-chains.ts'
import type { Balances } from './holdings/balances/balances.ts'
import type { Tokens } from './holdings/tokens/tokens.ts'
import type { WatchedTokens } from './holdings/tokens/watched-tokens.ts'
import type { Identity } from './identity/identity.ts'
import type { SupportedPools } from './pools/supported-pools.ts'
import type { Quotes, Submissions } from './transact/transact.ts'
import type { Withdrawals } from './withdrawals/withdrawals.ts'

/** Everything that the API can ask of the service; built once by the composition root and passed explicitly. */
export interface Services {
  withdrawals: Withdrawals
  identity: Identity
  accounts: Accounts
  addresses: Addresses
  subdomains: Subdomains
  nameGateway: NameGateway
  referrals: Referrals
  addressBook: AddressBook
  notes: Notes
  supportedChains: readonly SupportedChain[]
  supportedPools: SupportedPools
  tokens: Tokens
  watchedTokens: WatchedTokens
  balances: Balances
  activity: Activity
  accountChanges: AccountChanges
  quotes: Quotes
  submissions: Submissions
  pendingActivity: PendingActivity
}
