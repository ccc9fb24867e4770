import type { Accounts } from './account/profile/accounts.ts'
import type { AddressBook } from './account/address-book/address-book.ts'
import type { Notes } from './account/notes/notes.ts'
import type { Referrals } from './account/referrals/referrals.ts'
import type { NameGateway } from './account/subdomains/lookup/name-gateway.ts'
import type { Subdomains } from './account/subdomains/subdomains.ts'
import type { AccountChanges } from './activity/account-changes.ts'
import type { Activity } from './activity/activity.ts'
import type { PendingActivity } from './activity/pending.ts'
import type { Addresses } from './account/addresses/addresses.ts'
import type { SupportedChain } from './chain/nodes/supported-chains.ts'
import type { Balances } from './account/balances/balances.ts'
import type { Tokens } from './market/tokens/tokens.ts'
import type { WatchedTokens } from './market/watchlist/watched-tokens.ts'
import type { Identity } from './identity/identity.ts'
import type { SupportedPools } from './pool/state/supported-pools.ts'
import type { Quotes, Submissions } from './transact/transact.ts'
import type { Withdrawals } from './pool/relay/withdrawals.ts'

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
