import { join } from 'node:path'
import type { Logger } from 'pino'
import { privateKeyToAddress } from 'viem/accounts'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { connectDatabase } from '../db/connect-database.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { listAccountFeatures } from '../db/tokens/account-tokens.ts'
import { openSharedState } from '../db/shared-state/open-shared-state.ts'
import { createProvingPool } from '../proving/create-proving-pool.ts'
import { loadEcdsa } from '../proving/signing/ecdsa.ts'
import { loadStealthCurve } from '../proving/derivation/stealth-curve.ts'
import { createAddressBook } from '../relayer/accounts/address-book/create-address-book.ts'
import { createAccounts } from '../relayer/accounts/create-accounts.ts'
import { createFeeWaivers } from '../relayer/accounts/fee-waivers/create-fee-waivers.ts'
import { createNotes } from '../relayer/accounts/notes/create-notes.ts'
import { createReferrals } from '../relayer/accounts/referrals/create-referrals.ts'
import { createSubdomains } from '../relayer/accounts/subdomains/create-subdomains.ts'
import { createNameGateway } from '../relayer/accounts/subdomains/lookup/name-gateway.ts'
import { createAccountChanges } from '../relayer/activity/account-changes.ts'
import { createActivity } from '../relayer/activity/create-activity.ts'
import { createPendingActivity } from '../relayer/activity/pending-activity.ts'
import { createAddresses } from '../relayer/addresses/create-addresses.ts'
import { createBroadcastEngine } from '../relayer/broadcast/create-broadcast-engine.ts'
import type { ChainConfig } from '../relayer/chains/config.ts'
import { followGasPrices } from '../relayer/chains/gas-prices.ts'
import { openChain } from '../relayer/chains/open-chain.ts'
import { describeChains } from '../relayer/chains/supported-chains.ts'
import { createAddressFacts } from '../relayer/holdings/balances/address-facts.ts'
import { createBalances } from '../relayer/holdings/balances/create-balances.ts'
import { openTokens } from '../relayer/holdings/tokens/open-tokens.ts'
import { createWatchedTokens } from '../relayer/holdings/tokens/watch-tokens.ts'
import { LOCAL_OAUTH_CLIENT } from '../relayer/identity/config.ts'
import { createVault } from '../relayer/identity/create-vault.ts'
import { openIdentity } from '../relayer/identity/open-identity.ts'
import { openMasterKeys } from '../relayer/identity/open-master-keys.ts'
import { createFeePerProof } from '../relayer/pools/fee-per-proof.ts'
import { createIndexer } from '../relayer/indexer/create-indexer.ts'
import { followReviews } from '../relayer/pools/follow-reviews.ts'
import { followPools } from '../relayer/pools/pool-state.ts'
import { createNames } from '../relayer/names/create-names.ts'
import { createSupportedPools } from '../relayer/pools/supported-pools.ts'
import { createScreening } from '../relayer/screening/create-screening.ts'
import type { Services } from '../relayer/services.ts'
import { createIntentDomains } from '../relayer/transact/intents/intent-domains.ts'
import { openQuotes } from '../relayer/transact/quotes/open-quotes.ts'
import { createSubmissions } from '../relayer/transact/submissions/create-submissions.ts'
import { readUsage } from '../relayer/usage/usage.ts'
import { createRelayerChain } from '../relayer/withdrawals/relayer-chain.ts'
import { createWithdrawals } from '../relayer/withdrawals/create-withdrawals.ts'
import type { ServiceConfig } from './config/config.ts'
import { createHttpServer } from './http/create-http-server.ts'
import { createIdempotency } from './idempotency/create-idempotency.ts'
import { checkHealth } from './observation/check-health.ts'
import { registerIndexerFigures } from './observation/indexer-figures.ts'
import { keepRecent } from './observation/keep-recent.ts'
import { registerUsageFigures } from './observation/usage-figures.ts'
import { createShutdownList, type ShutdownList } from './shutdown.ts'

/** A running service. */
export interface RunningService {
  url: string
  services: Services
  /** What was started, for people. */
  parts: {
    database: string
    sharedState: string
    chains: readonly ChainConfig[]
    devnetFile: string | null
    asp: string | null
  }
  stop(): Promise<void>
}

export interface ComposeOptions {
  config: ServiceConfig
  logger: Logger
  /** Told what is being started, for the terminal. */
  onProgress?: (what: string) => void
}

const STOP_GRACE_MS = 10_000
/** Counting reads whole tables. */
const USAGE_MAX_AGE_MS = 5_000

async function startDatabase(config: ServiceConfig, logger: Logger, shutdown: ShutdownList) {
  const { databaseUrl, dataDir } = config.storage
  let url = databaseUrl
  if (!url) {
    const embedded = await startEmbeddedPostgres({ dataDir, logger })
    shutdown.add('embedded PostgreSQL', embedded.stop)
    url = embedded.url
  }
  await migrateDatabase(url)
  const pool = await connectDatabase(url, { logger })
  shutdown.add('database connections', () => pool.end())
  return {
    url,
    pool,
    about: databaseUrl ? 'as DATABASE_URL says' : `embedded, in ${join(dataDir, 'postgres')}`,
  }
}

/** The configured chains, or those of a devnet that is started for want of any. */
async function startChains({ config, logger, onProgress }: ComposeOptions, shutdown: ShutdownList) {
  if (config.chains.length > 0) return { chains: config.chains, names: {}, devnetFile: null, asp: null }
  // Loaded here alone: the devnet brings a compiler and a prover that production does not install.
  const { startDevnet } = await import('../relayer/devnet/start-devnet.ts')
  const devnet = await startDevnet({
    dataDir: config.storage.dataDir,
    config: config.devnet,
    logger,
    ...(onProgress && { onProgress }),
  })
  shutdown.add('devnet', devnet.stop)
  const { chains, names, file, asp } = devnet
  return { chains, names, devnetFile: file, asp: asp.url }
}

/**
 * Builds the whole service from its configuration and starts it: the one place where parts meet. On failure everything
 * that was started is stopped again.
 */
export async function startService(options: ComposeOptions): Promise<RunningService> {
  const { config, logger, onProgress = () => {} } = options
  const shutdown = createShutdownList(logger)
  try {
    return await compose(options, shutdown, onProgress)
  } catch (error) {
    await shutdown.run()
    throw error
  } finally {
    logger.debug({ port: config.port }, 'start-up has ended')
  }
}

async function compose(
  options: ComposeOptions,
  shutdown: ShutdownList,
  onProgress: (what: string) => void,
): Promise<RunningService> {
  const { config, logger } = options
  onProgress('database and chains')
  const [database, local] = await Promise.all([
    startDatabase(config, logger, shutdown),
    startChains(options, shutdown),
  ])
  const { redisUrl } = config.storage
  const sharedState = await openSharedState({ ...(redisUrl && { redisUrl }), logger })
  shutdown.add('shared state', () => sharedState.close())

  onProgress('worker threads')
  const proving = await createProvingPool({
    ...config.proving,
    commitmentKeys: local.chains.map((chain) => chain.feeReceiverKey),
    logger,
  })
  shutdown.add('worker threads', () => proving.close(STOP_GRACE_MS))

  if (config.storage.databaseUrl && !config.identity.masterKeys)
    logger.warn(
      { dataDir: config.storage.dataDir },
      'keys at rest are wrapped by a master key in the data folder: keep a copy, or set MASTER_KEYS',
    )
  const vault = createVault(openMasterKeys(config.identity.masterKeys, config.storage.dataDir))
  const { identity, stop: stopIdentity } = await openIdentity({
    database: database.pool,
    vault,
    config: config.identity,
    clients: config.identity.oauthClients ?? (config.storage.databaseUrl ? [] : [LOCAL_OAUTH_CLIENT]),
    logger,
  })
  shutdown.add('identity', stopIdentity)
  const names = config.names.parent === undefined ? { ...config.names, ...local.names } : config.names
  const referrals = createReferrals({
    database: database.pool,
    config: config.referrals,
    parentName: names.parent,
  })
  const feeWaivers = createFeeWaivers({ database: database.pool, config: config.feeWaivers })
  const accounts = createAccounts({
    database: database.pool,
    identity,
    vault,
    referrals,
    feeWaivers,
    config: config.accounts,
  })

  onProgress('chains, pools and signers')
  const opened = local.chains.map((chain) => openChain(chain, logger))
  for (const chain of opened) shutdown.add(`chain ${chain.config.chainId}`, () => chain.stop())
  const chains = new Map(opened.map((chain) => [chain.config.chainId, chain]))
  const relayerChains = new Map(
    opened.map((chain) => [
      chain.config.chainId,
      createRelayerChain(chain, followPools(chain, logger), followGasPrices(chain)),
    ]),
  )
  const broadcast = createBroadcastEngine({
    chains,
    pool: database.pool,
    databaseUrl: database.url,
    logger,
    config: config.broadcast,
  })
  const withdrawals = createWithdrawals({
    database: database.pool,
    sharedState,
    proving,
    broadcast,
    chains: relayerChains,
    config: config.withdrawals,
    logger,
  })
  const tokenDesk = await openTokens({ database: database.pool, chains, config, logger })
  shutdown.add('prices', tokenDesk.stop)
  const { tokens, prices } = tokenDesk
  const chainFacts = { database: database.pool, chains: local.chains, tokens, prices }
  const balances = createBalances({ ...chainFacts, feeWaivers })
  const addresses = createAddresses({
    database: database.pool,
    vault,
    curve: await loadStealthCurve(),
    facts: createAddressFacts(chainFacts),
    config: config.addresses,
  })
  const activity = createActivity(chainFacts)
  const { stuckAfterMs } = config.transact.submissions
  const pendingActivity = createPendingActivity({ ...chainFacts, stuckAfterMs })
  const indexer = createIndexer({ chains, pool: database.pool, sharedState, logger, config: config.indexer })
  shutdown.add('indexer', () => indexer.stop())
  const accountChanges = createAccountChanges(database.pool, indexer)
  const watchedTokens = createWatchedTokens({
    database: database.pool,
    tokens,
    prices,
    chains,
    accountTokens: balances,
    balances,
    maxPerAccount: config.catalog.maxPerAccount,
  })
  const supportedPools = createSupportedPools({
    chains: [...relayerChains.values()],
    tokens,
    feePerProof: createFeePerProof(database.pool, (chainId) => relayerChains.get(chainId)?.gasPrices),
    featuresOf: (accountId) => listAccountFeatures(database.pool, accountId),
    logger,
  })
  for (const { chain, pools } of relayerChains.values()) {
    const reviews = followReviews(chain, pools, database.pool, logger)
    shutdown.add(`reviews of chain ${chain.config.chainId}`, () => reviews.stop())
  }
  const quotes = await openQuotes({
    database: database.pool,
    vault,
    chains,
    relayerChains,
    proving,
    tokens,
    prices,
    screening: createScreening(chains, config.screening),
    names: createNames({ chains, logger }),
    addresses,
    feeWaivers,
    config: config.transact,
    logger,
  })
  shutdown.add('quotes', () => quotes.stop())
  const submissions = createSubmissions({
    database: database.pool,
    chains,
    proving,
    broadcast,
    domains: createIntentDomains(chains),
    ecdsa: await loadEcdsa(),
    gasPriceOf: (chainId) => relayerChains.get(chainId)?.gasPrices.gasPrice() ?? null,
    gasMarginPercent: config.transact.gasMarginPercent,
    signers: new Set(
      opened.flatMap((chain) => chain.config.signerKeys.map((key) => privateKeyToAddress(key))),
    ),
    config: config.transact.submissions,
    logger,
  })
  await Promise.all(opened.map((chain) => chain.start()))
  tokenDesk.start()
  await withdrawals.start()
  shutdown.add('broadcast engine', () => broadcast.stop())
  await broadcast.start()
  await indexer.start()
  quotes.start()
  shutdown.add('submissions', () => submissions.stop())
  await submissions.start()

  const services: Services = {
    withdrawals,
    identity,
    accounts,
    addresses,
    subdomains: createSubdomains({ database: database.pool, config: names }),
    nameGateway: createNameGateway({
      database: database.pool,
      addresses,
      sharedState,
      config: names,
      chainIds: new Set(chains.keys()),
    }),
    referrals,
    addressBook: createAddressBook({ database: database.pool, addresses }),
    notes: createNotes({ database: database.pool, addresses }),
    supportedChains: describeChains(local.chains),
    supportedPools,
    tokens,
    watchedTokens,
    balances,
    activity,
    accountChanges,
    quotes,
    submissions,
    pendingActivity,
  }
  const registry = new Registry()
  // every delay that is told has this, in milliseconds, on top
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 2 })
  const indexing = keepRecent(indexer.progress, 1_000)
  registerIndexerFigures(registry, indexing)
  const usage = keepRecent(() => readUsage(database.pool), USAGE_MAX_AGE_MS)
  registerUsageFigures(registry, usage)
  const parts = {
    database: database.about,
    sharedState: sharedState.describe(),
    chains: local.chains,
    devnetFile: local.devnetFile,
    asp: local.asp,
  }
  const idempotency = createIdempotency({ database: database.pool, logger })
  shutdown.add('idempotency', () => idempotency.stop())
  const server = createHttpServer({
    services,
    sharedState,
    idempotency,
    registry,
    logger,
    config: config.http,
    health: () => checkHealth({ database: database.pool, sharedState, chains: relayerChains, broadcast }),
    describe: () => ({ database: parts.database, sharedState: parts.sharedState, asp: parts.asp }),
    indexing,
    usage,
  })
  const { url } = await server.listen(config.port, config.host)
  shutdown.add('HTTP server', () => server.close(STOP_GRACE_MS))
  return { url, services, parts, stop: () => shutdown.run() }
}
