import { collectDefaultMetrics, Registry } from 'prom-client'
import { watchDatabase } from '../../db/watch-database.ts'
import { createSubdomains } from '../../relayer/account/subdomains/create-subdomains.ts'
import { createNameGateway } from '../../relayer/account/subdomains/lookup/name-gateway.ts'
import type { IndexProgress } from '../../relayer/chain/indexer/indexer.ts'
import { describeChains } from '../../relayer/chain/nodes/supported-chains.ts'
import { createServices } from '../../relayer/services.ts'
import { rememberLast } from '../../relayer/concurrency/remember-last.ts'
import { NO_ORDERS, readOrdersOverview } from '../../relayer/transact/orders/orders-overview.ts'
import { NO_USAGE, readUsage } from '../../relayer/transact/usage/usage.ts'
import type { Foundations } from './foundations.ts'
import type { RunningService } from './running-service.ts'
import { watchAlarms } from './watch-alarms.ts'
import { demandWrappedCoins } from './demand-wrapped-coins.ts'
import { openAccounts } from './open-accounts.ts'
import { openHoldings } from './open-holdings.ts'
import { openInspection } from './open-inspection.ts'
import { openRelay, type RelayParts } from './open-relay.ts'
import { openSending } from './open-sending.ts'
import type { ServiceConfig } from '../config/config.ts'
import type { HttpConfig } from '../http/http-config.ts'
import { createHttpServer, type HttpServer } from '../http/create-http-server.ts'
import { isLoopback } from '../http/is-loopback.ts'
import { createIdempotency } from '../idempotency/create-idempotency.ts'
import { registerAlarmFigures } from '../observation/alarm-board.ts'
import { checkHealth } from '../observation/check-health.ts'
import { registerIndexerFigures } from '../observation/indexer-figures.ts'
import { keepRecent } from '../observation/keep-recent.ts'
import { createRecentOverview } from '../observation/recent-overview.ts'
import { registerOrderFigures } from '../observation/order-figures.ts'
import { registerUsageFigures } from '../observation/usage-figures.ts'
import { registerVenueFigures } from '../observation/venue-figures.ts'
import type { ShutdownList } from '../shutdown.ts'
import { startUpkeep } from '../upkeep/start-upkeep.ts'

const STOP_GRACE_MS = 10_000
const INDEXING_MAX_AGE_MS = 1_000
const OVERVIEW_MAX_AGE_MS = 1_000
/** Counting scans whole tables, hence not more often. */
const USAGE_MAX_AGE_MS = 5_000
const ORDERS_MAX_AGE_MS = 5_000

/** Builds and starts all parts above the foundations, the HTTP server last. */
export async function buildService(foundations: Foundations): Promise<RunningService> {
  const { config, logger, shutdown, pool, secrets, sharedState, devnet } = foundations
  const account = await openAccounts(foundations)
  const relay = await openRelay(foundations)
  const holding = await openHoldings(foundations, relay, account)
  const sending = await openSending(foundations, relay, account, holding)
  await demandWrappedCoins(relay.chains.values())
  await relay.start()
  await holding.start()
  await sending.start()

  const services = createServices(pool, {
    withdrawals: relay.withdrawals,
    identity: account.identity,
    accounts: account.accounts,
    addresses: holding.addresses,
    appAddresses: holding.appAddresses,
    apps: holding.apps,
    subdomains: createSubdomains({ database: pool, config: account.names }),
    nameGateway: createNameGateway({
      lookups: sending.nameLookups,
      config: account.names,
      chainIds: new Set(relay.chains.keys()),
    }),
    referrals: account.referrals,
    supportedChains: describeChains(config.chains),
    supportedPools: holding.supportedPools,
    accountPools: holding.accountPools,
    tokens: holding.tokens,
    watchedTokens: holding.watchedTokens,
    balances: holding.balances,
    collectibles: holding.collectibles,
    poolReviews: holding.poolReviews,
    depositReview: holding.depositReview,
    activity: holding.activity,
    accountChanges: holding.accountChanges,
    pendingActivity: holding.pendingActivity,
    quotes: sending.quotes,
    previews: sending.previews,
    poolRecoveries: sending.poolRecoveries,
    collectibleWithdrawals: sending.collectibleWithdrawals,
    poolSpending: sending.poolSpending,
    submissions: sending.submissions,
    ...(await openInspection(foundations, relay, holding)),
  })
  const parts = {
    database: foundations.aboutDatabase,
    sharedState: sharedState.describe(),
    chains: config.chains,
    devnetFile: devnet?.file ?? null,
    asp: devnet?.asp?.url ?? null,
    across: devnet?.across?.url ?? null,
    nameParent: account.names.parent ?? null,
  }
  const idempotency = createIdempotency({ database: pool, secrets, logger })
  shutdown.add('idempotency', () => idempotency.stop())
  const upkeep = startUpkeep(pool, config.upkeep, logger)
  shutdown.add('upkeep', () => upkeep.stop())
  const observation = openObservation(foundations, holding, relay, config.http)
  const database = watchDatabase(pool)
  const { broadcast, chains, relayerChains } = relay
  const board = watchAlarms({
    database,
    sharedState,
    chains,
    relayerChains,
    broadcast,
    indexer: holding.indexer,
    logger,
  })
  shutdown.add('alarms', async () => board.stop())
  registerAlarmFigures(observation.registry, board.raised)
  const server = await createHttpServer({
    ...(!isLoopback(config.host) && { operatorDoor: { host: config.operatorHost } }),
    services,
    sharedState,
    idempotency,
    ...observation,
    alarms: board.raised,
    logger,
    config: config.http,
    health: () => checkHealth({ database, sharedState, chains, relayerChains, broadcast }),
    describe: () => ({ database: parts.database, sharedState: parts.sharedState, asp: parts.asp }),
  })
  const { url } = await server.listen(config.port, config.host)
  shutdown.add('HTTP server', () => server.close(STOP_GRACE_MS))
  await devnet?.pointNames(url)
  const operatorUrl = (await openOperatorDoor(server, config, shutdown)) ?? url
  return { url, operatorUrl, services, parts, stop: () => shutdown.run() }
}

/** URL of the operator's pages if they have a port of their own; null where they share the API's. */
async function openOperatorDoor(
  { operator }: HttpServer,
  { operatorHost, operatorPort }: ServiceConfig,
  shutdown: ShutdownList,
): Promise<string | null> {
  if (!operator) return null
  const { url } = await operator.listen(operatorPort, operatorHost)
  shutdown.add('operator pages', () => operator.close(STOP_GRACE_MS))
  return url
}

/** Figures of the service itself, for metrics and pages. */
function openObservation(
  { pool, shutdown }: Foundations,
  { indexer }: Pick<Awaited<ReturnType<typeof openHoldings>>, 'indexer'>,
  { chains, withdrawals }: RelayParts,
  { loopDelayEveryMs }: HttpConfig,
) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopDelayEveryMs })
  const indexing = keepRecent(
    rememberLast<readonly IndexProgress[]>(() => indexer.progress(), []),
    INDEXING_MAX_AGE_MS,
  )
  registerIndexerFigures(registry, indexing)
  const usage = keepRecent(
    rememberLast(() => readUsage(pool, chains), NO_USAGE),
    USAGE_MAX_AGE_MS,
  )
  registerUsageFigures(registry, usage)
  const orders = keepRecent(
    rememberLast(() => readOrdersOverview(pool), NO_ORDERS),
    ORDERS_MAX_AGE_MS,
  )
  registerOrderFigures(registry, orders)
  shutdown.add('figures of venues', registerVenueFigures(registry))
  const overview = createRecentOverview(withdrawals, OVERVIEW_MAX_AGE_MS)
  return { registry, overview, indexing, usage, orders }
}
