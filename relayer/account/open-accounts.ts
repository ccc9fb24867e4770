import { loadStealthCurve } from '../../proving/derivation/stealth-curve.ts'
import type { ChainServices } from '../chain/open-chains.ts'
import type { ChainConfig } from '../chain/nodes/config.ts'
import type { Identity } from '../identity/identity.ts'
import type { ServiceKeys } from '../identity/transient-secrets.ts'
import type { TokenDesk } from '../market/open-tokens.ts'
import type { TokensConfig } from '../market/tokens/config.ts'
import { createWatchedTokens } from '../market/watchlist/watch-tokens.ts'
import type { PoolServices } from '../pool/open-pools.ts'
import type { ServiceBase } from '../service-base.ts'
import { createAddressBook } from './address-book/create-address-book.ts'
import type { AddressesConfig } from './addresses/config.ts'
import { createAddresses } from './addresses/create-addresses.ts'
import { createAppRegistry } from './apps/app-registry.ts'
import type { AppsConfig } from './apps/config.ts'
import { createAppAddresses } from './apps/create-app-addresses.ts'
import { createAddressFacts } from './balances/address-facts.ts'
import { createBalances } from './balances/create-balances.ts'
import { createPoolReviews } from './balances/pool-reviews.ts'
import { createAccountEvents } from './changes/account-events.ts'
import { createCollectibles } from './collectible/collectibles.ts'
import type { Collection } from './collectible/config.ts'
import { createDepositReview } from './deposit-review/create-deposit-review.ts'
import type { ConversionCosts } from './deposit-review/review-facts.ts'
import type { FeeWaiversConfig } from './fee-waivers/config.ts'
import { createFeeWaivers, type FeeWaivers } from './fee-waivers/fee-waivers.ts'
import { createNotes } from './notes/create-notes.ts'
import type { AccountsConfig } from './profile/config.ts'
import { createAccounts } from './profile/create-accounts.ts'
import type { DescribeApp } from './addresses/addresses.ts'
import { createProvenance, type ProvenanceOptions } from './provenance/create-provenance.ts'
import type { ReferralsConfig } from './referrals/config.ts'
import { createReferrals } from './referrals/create-referrals.ts'
import type { NamesConfig } from './subdomains/config.ts'
import { createSubdomains } from './subdomains/create-subdomains.ts'
import { createNameGateway } from './subdomains/lookup/name-gateway.ts'
import { createNameLookups } from './subdomains/lookup/name-lookups.ts'
import { createPaymentPages } from './subdomains/lookup/payment-pages.ts'

/** The settings of accounts. */
export interface AccountSettings {
  chains: ChainConfig[]
  accounts: AccountsConfig
  addresses: AddressesConfig
  apps: AppsConfig
  catalog: TokensConfig
  collectibles?: readonly Collection[] | undefined
  feeWaivers: FeeWaiversConfig
  names: NamesConfig
  referrals: ReferralsConfig
  /** True on a devnet: pages of 127.0.0.1 are apps. */
  admitsLoopback: boolean
}

/** The districts below. */
export interface BelowAccounts {
  identity: Identity
  chain: ChainServices
  market: TokenDesk
  pool: PoolServices
}

/** Facts about kinds of quotes, which the districts above know. */
export interface KindFacts {
  /** The name that the activity gives to a kind. */
  actionOf: ProvenanceOptions['actionOf']
  /** Prices conversions into a pool. */
  conversionCosts: (feeWaivers: FeeWaivers) => ConversionCosts
}

/** The services of this district. */
export type AccountServices = Awaited<ReturnType<typeof openAccounts>>

/** Opens the accounts: profiles, addresses, what these hold and where it came from, names, notes and contacts. */
export async function openAccounts(
  base: ServiceBase,
  keys: ServiceKeys,
  below: BelowAccounts,
  config: AccountSettings,
  kinds: KindFacts,
) {
  const { database } = base
  const { tokens, prices } = below.market
  const profiles = openProfiles(base, keys, below.identity, config)
  const apps = createAppRegistry(config.apps, { loopback: config.admitsLoopback })
  const facts = { database, chains: config.chains, tokens, prices, describeApp: apps.name }
  const addresses = await openAddresses(base, keys, facts, config.addresses)
  const provenance = createProvenance({ ...facts, secrets: keys.secrets, actionOf: kinds.actionOf })
  const { feeWaivers } = profiles
  const balances = createBalances({ ...facts, feeWaivers, books: below.pool.books, provenance })
  const reviews = openReviews(base, {
    ...facts,
    provenance,
    pools: below.pool.supportedPools,
    costs: kinds.conversionCosts(feeWaivers),
  })
  const names = openNames(base, keys, { addresses, indexer: below.chain.indexer }, config)
  const accountEvents = openEvents(base, keys, below.chain)
  return {
    apps,
    addresses,
    provenance,
    feeWaivers,
    collections: profiles.collections,
    nameLookups: names.nameLookups,
    services: {
      accounts: profiles.accounts,
      referrals: profiles.referrals,
      collectibles: profiles.collectibles,
      subdomains: names.subdomains,
      nameGateway: names.nameGateway,
      paymentPages: names.paymentPages,
      apps,
      addresses,
      appAddresses: createAppAddresses(database, addresses, apps),
      addressBook: createAddressBook(database, addresses),
      notes: createNotes(database, addresses),
      balances,
      ...reviews,
      accountEvents,
      watchedTokens: createWatchedTokens({
        database,
        tokens,
        prices,
        chains: below.chain.chains,
        accountTokens: balances,
        balances,
        maxPerAccount: config.catalog.maxPerAccount,
      }),
    },
  }
}

function openEvents(
  { database, logger, shutdown }: ServiceBase,
  { secrets }: ServiceKeys,
  { indexer }: ChainServices,
) {
  const events = createAccountEvents({ database, secrets, indexer, logger })
  shutdown.add('events of accounts', async () => events.stop())
  return events
}

/** Opens the reviews of deposits: the association set provider's, and the account's own. */
function openReviews(
  { database, sharedState, logger, shutdown }: ServiceBase,
  sources: Omit<Parameters<typeof createDepositReview>[0], 'sharedState' | 'logger'>,
) {
  const poolReviews = createPoolReviews(database, logger)
  shutdown.add('deposit reviews', async () => poolReviews.stop())
  const depositReview = createDepositReview({ ...sources, sharedState, logger })
  shutdown.add('followers of deposit reviews', () => depositReview.stop())
  return { poolReviews, depositReview }
}

/** Opens the profiles and what they may be offered. */
function openProfiles(
  { database }: ServiceBase,
  { vault, secrets }: ServiceKeys,
  identity: Identity,
  config: AccountSettings,
) {
  const collections = config.collectibles ?? []
  const referrals = createReferrals(database, config.referrals, config.names.parent)
  const feeWaivers = createFeeWaivers(database, config.feeWaivers, secrets, collections)
  const accounts = createAccounts({
    database,
    identity,
    vault,
    referrals,
    feeWaivers,
    secrets,
    config: config.accounts,
  })
  const collectibles = createCollectibles(database, collections)
  return { accounts, referrals, feeWaivers, collections, collectibles }
}

async function openAddresses(
  { database, sharedState }: ServiceBase,
  { vault }: ServiceKeys,
  facts: Parameters<typeof createAddressFacts>[0] & { describeApp: DescribeApp },
  config: AddressesConfig,
) {
  return createAddresses({
    database,
    describeApp: facts.describeApp,
    vault,
    curve: await loadStealthCurve(),
    facts: createAddressFacts(facts),
    sharedState,
    config,
  })
}

/** Opens the accounts' names, and the lookups by which anybody pays to them. */
function openNames(
  { database, sharedState }: ServiceBase,
  { secrets }: ServiceKeys,
  {
    addresses,
    indexer,
  }: Pick<ChainServices, 'indexer'> & {
    addresses: Awaited<ReturnType<typeof openAddresses>>
  },
  { names, chains }: AccountSettings,
) {
  const nameLookups = createNameLookups({ database, addresses, sharedState, secrets, config: names })
  return {
    subdomains: createSubdomains(database, names),
    nameLookups,
    paymentPages: createPaymentPages({ database, lookups: nameLookups, secrets, indexer }),
    nameGateway: createNameGateway(nameLookups, names, new Set(chains.map(({ chainId }) => chainId))),
  }
}
