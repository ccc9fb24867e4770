import type { DatabasePool } from 'slonik'
import type { Accounts } from './account/profile/accounts.ts'
import { createAddressBook } from './account/address-book/create-address-book.ts'
import { createNotes } from './account/notes/create-notes.ts'
import type { Referrals } from './account/referrals/referrals.ts'
import type { NameGateway } from './account/subdomains/lookup/name-gateway.ts'
import type { Subdomains } from './account/subdomains/create-subdomains.ts'
import type { AccountChanges } from './activity/account-changes.ts'
import type { Activity } from './activity/activity.ts'
import type { PendingActivity } from './activity/pending.ts'
import type { AppRegistry } from './account/apps/app-registry.ts'
import type { AppAddresses } from './account/apps/create-app-addresses.ts'
import type { Addresses } from './account/addresses/addresses.ts'
import type { SupportedChain } from './chain/nodes/supported-chains.ts'
import type { Collectibles } from './account/collectible/collectibles.ts'
import type { DepositReview } from './account/deposit-review/deposit-review.ts'
import type { Balances } from './account/balances/balances.ts'
import type { PoolReviews } from './account/balances/pool-reviews.ts'
import type { Tokens } from './market/tokens/tokens.ts'
import type { WatchedTokens } from './market/watchlist/watched-tokens.ts'
import type { Identity } from './identity/identity.ts'
import type { AccountPools } from './pool/tree/account-pools.ts'
import type { SupportedPools } from './pool/state/supported-pools.ts'
import type { CollectibleWithdrawals } from './transact/collectible-withdrawals/create-collectible-withdrawals.ts'
import type { ClearSigning } from './inspect/clear-signing/clear-signing.ts'
import type { FunctionSignatures } from './inspect/function-signatures/function-signatures.ts'
import type { Simulations } from './inspect/simulation/simulation.ts'
import type { VerifiedSources } from './inspect/verified-sources/verified-sources.ts'
import type { PoolRecoveries } from './transact/pool-recoveries/create-pool-recoveries.ts'
import type { PoolSpending } from './transact/pool-spending/pool-spending.ts'
import type { Previews } from './transact/previews/previews.ts'
import type { Quotes, Submissions } from './transact/transact.ts'
import type { Withdrawals } from './pool/relay/withdrawals.ts'

/** Services that the composition root opens, because they need settings, keys, chains or a loop. */
export interface OpenedServices {
  withdrawals: Withdrawals
  identity: Identity
  accounts: Accounts
  addresses: Addresses
  appAddresses: AppAddresses
  apps: AppRegistry
  subdomains: Subdomains
  nameGateway: NameGateway
  referrals: Referrals
  supportedChains: readonly SupportedChain[]
  supportedPools: SupportedPools
  accountPools: AccountPools
  tokens: Tokens
  watchedTokens: WatchedTokens
  balances: Balances
  collectibles: Collectibles
  poolReviews: PoolReviews
  depositReview: DepositReview
  activity: Activity
  accountChanges: AccountChanges
  quotes: Quotes
  previews: Previews
  poolRecoveries: PoolRecoveries
  collectibleWithdrawals: CollectibleWithdrawals
  poolSpending: PoolSpending
  submissions: Submissions
  pendingActivity: PendingActivity
  functionSignatures: FunctionSignatures
  verifiedSources: VerifiedSources
  simulations: Simulations
  clearSigning: ClearSigning
}

/** Everything that the API can ask of the service; built once by the composition root and passed explicitly. */
export type Services = ReturnType<typeof createServices>

/** Adds the services that need nothing but the database and others: a line for each. */
export function createServices(database: DatabasePool, opened: OpenedServices) {
  const { addresses } = opened
  return {
    ...opened,
    addressBook: createAddressBook({ database, addresses }),
    notes: createNotes({ database, addresses }),
  }
}
