import { listAccountFeatures } from '../../db/market/tokens/account-tokens.ts'
import { loadStealthCurve } from '../../proving/derivation/stealth-curve.ts'
import { createAccountChanges } from '../../relayer/activity/account-changes.ts'
import { createActivity } from '../../relayer/activity/create-activity.ts'
import { createPendingActivity } from '../../relayer/activity/pending-activity.ts'
import { addPendingSpends } from '../../relayer/activity/pending-spends.ts'
import { createAddresses } from '../../relayer/account/addresses/create-addresses.ts'
import { createAppRegistry } from '../../relayer/account/apps/app-registry.ts'
import { createAppAddresses } from '../../relayer/account/apps/create-app-addresses.ts'
import { createAddressFacts } from '../../relayer/account/balances/address-facts.ts'
import { createPoolReviews } from '../../relayer/account/balances/pool-reviews.ts'
import { createCollectibles } from '../../relayer/account/collectible/collectibles.ts'
import { createProvenance } from '../../relayer/account/provenance/create-provenance.ts'
import { createDepositReview } from '../../relayer/account/deposit-review/create-deposit-review.ts'
import { createBalances } from '../../relayer/account/balances/create-balances.ts'
import { createWatchedTokens } from '../../relayer/market/watchlist/watch-tokens.ts'
import { createIndexer } from '../../relayer/chain/indexer/create-indexer.ts'
import { createFeePerProof } from '../../relayer/pool/relay/relay-gas.ts'
import { followReviews } from '../../relayer/pool/state/follow-reviews.ts'
import { createPoolBooks } from '../../relayer/pool/book/pool-books.ts'
import { createAccountPools } from '../../relayer/pool/tree/create-account-pools.ts'
import { followAspSet } from '../../relayer/pool/tree/follow-asp-set.ts'
import { createSupportedPools } from '../../relayer/pool/state/supported-pools.ts'
import { kindOf } from '../../relayer/transact/kinds/quote-kinds.ts'
import { createConversionCosts } from '../../relayer/transact/kinds/pool-deposit/estimate-deposit.ts'
import { rememberEscrows } from '../../relayer/transact/cash-orders/remember-escrows.ts'
import { rememberOrchestrators } from '../../relayer/transact/intents/remember-orchestrators.ts'
import { rememberBridges } from '../../relayer/transact/orders/remember-bridges.ts'
import type { Foundations } from './foundations.ts'
import type { AccountParts } from './open-accounts.ts'
import type { RelayParts } from './open-relay.ts'

export type HoldingParts = Awaited<ReturnType<typeof openHoldings>>

/** Holdings of accounts and their history: addresses, indexer, tokens, prices, balances, activity. */
export async function openHoldings(
  foundations: Foundations,
  { chains, relayerChains, tokenDesk }: RelayParts,
  { collections, feeWaivers }: AccountParts,
) {
  const { config, logger, shutdown, pool, vault, secrets, sharedState, devnet } = foundations
  const { tokens, prices } = tokenDesk
  const facts = { database: pool, chains: config.chains, tokens, prices }
  const books = createPoolBooks({ database: pool, vault })
  const apps = createAppRegistry(config.apps, { loopback: devnet !== null })
  const describeApp = apps.name
  const provenance = createProvenance({
    ...facts,
    describeApp,
    secrets,
    actionOf: (kind) => kindOf(kind).activity(true).kind,
  })
  const balances = createBalances({ ...facts, feeWaivers, books, provenance, describeApp })
  const addresses = createAddresses({
    database: pool,
    describeApp,
    vault,
    curve: await loadStealthCurve(),
    facts: createAddressFacts(facts),
    sharedState,
    config: config.addresses,
  })
  const featuresOf = (accountId: string) => listAccountFeatures(pool, accountId)
  const poolReviews = createPoolReviews(pool, logger)
  shutdown.add('deposit reviews', async () => poolReviews.stop())
  const { indexer, orchestrators } = await openIndexer(foundations, chains)
  followPoolReviews(foundations, relayerChains)
  const supportedPools = createSupportedPools({
    chains: [...relayerChains.values()],
    tokens,
    feePerProof: createFeePerProof(pool, (chainId) => relayerChains.get(chainId)?.gasPrices),
    featuresOf,
    logger,
  })
  const depositReview = createDepositReview({
    ...facts,
    provenance,
    pools: supportedPools,
    sharedState,
    costs: priceConversions(foundations, relayerChains, feeWaivers),
    logger,
  })
  shutdown.add('followers of deposit reviews', () => depositReview.stop())
  return {
    books,
    featuresOf,
    tokens,
    prices,
    balances,
    provenance,
    poolReviews,
    addresses,
    orchestrators,
    apps,
    appAddresses: createAppAddresses({ database: pool, addresses, registry: apps }),
    indexer,
    collectibles: createCollectibles({ database: pool, collections }),
    activity: createActivity({ ...facts, books, provenance, apps }),
    pendingActivity: addPendingSpends(
      createPendingActivity({
        ...facts,
        provenance,
        apps,
        stuckAfterMs: config.transact.submissions.stuckAfterMs,
      }),
      { ...facts, vault, books },
    ),
    accountChanges: createAccountChanges(pool, indexer, logger),
    watchedTokens: createWatchedTokens({
      database: pool,
      tokens,
      prices,
      chains,
      accountTokens: balances,
      balances,
      maxPerAccount: config.catalog.maxPerAccount,
    }),
    supportedPools,
    depositReview,
    accountPools: createAccountPools({
      database: pool,
      books,
      served: chains,
      chains: relayerChains,
      featuresOf,
    }),
    async start() {
      tokenDesk.start()
      await indexer.start()
    },
  }
}

async function openIndexer(
  { config, logger, shutdown, pool, sharedState, openReader }: Foundations,
  chains: RelayParts['chains'],
) {
  const bridges = await rememberBridges(pool, config.chains, logger)
  const escrows = await rememberEscrows(pool, config.chains, logger)
  const orchestrators = await rememberOrchestrators(pool, config.chains)
  const indexer = createIndexer({
    chains,
    pool,
    sharedState,
    logger,
    config: config.indexer,
    openReader,
    bridges,
    escrows,
    orchestrators,
  })
  shutdown.add('indexer', () => indexer.stop())
  return { indexer, orchestrators }
}

/** Follows the reviews of deposits and the association sets of the pools. */
function followPoolReviews(
  { logger, shutdown, pool, proving }: Foundations,
  relayerChains: RelayParts['relayerChains'],
): void {
  for (const { chain, pools } of relayerChains.values()) {
    const reviews = followReviews(chain, pools, pool, logger)
    shutdown.add(`reviews of chain ${chain.config.chainId}`, () => reviews.stop())
    const aspSet = followAspSet({ chain, pools, database: pool, proving, logger })
    shutdown.add(`association set of chain ${chain.config.chainId}`, () => aspSet.stop())
  }
}

const priceConversions = (
  { config }: Foundations,
  relayerChains: RelayParts['relayerChains'],
  feeWaivers: AccountParts['feeWaivers'],
) =>
  createConversionCosts({
    feeWaivers,
    sendingPriceOf: (chainId) => relayerChains.get(chainId)?.gasPrices.sendingPrice() ?? null,
    config: config.transact,
  })
