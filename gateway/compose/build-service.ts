import { collectDefaultMetrics, Registry } from 'prom-client'
import { NO_ORDERS, readOrdersOverview } from '../../relayer/transact/orders/orders-overview.ts'
import { NO_USAGE, readUsage } from '../../relayer/transact/usage/usage.ts'
import { watchDatabase } from '../../db/watch-database.ts'
import type { IndexProgress } from '../../relayer/chain/indexer/indexer.ts'
import { rememberLast } from '../../relayer/concurrency/remember-last.ts'
import { openServices, type OpenedServices, type Services } from '../../relayer/services.ts'
import type { ServiceBase } from '../../relayer/service-base.ts'
import type { ShutdownList } from '../../relayer/concurrency/shutdown-list.ts'
import { provenanceWriter } from '../../schema/account/provenance/describe-origin.ts'
import {
  demandServedCollections,
  demandWrappedCoins,
  warnOfMarks,
  warnOfUnsafeSettings,
} from './check-settings.ts'
import type { Foundations } from './foundations.ts'
import { offerPaymentPage } from './offer-payment-page.ts'
import { offerWallet } from './offer-wallet.ts'
import { watchAlarms } from './watch-alarms.ts'
import type { ServiceConfig } from '../config/config.ts'
import { createHttpServer, type HttpServer } from '../http/create-http-server.ts'
import { isLoopback } from '../http/is-loopback.ts'
import { createIdempotency } from '../idempotency/create-idempotency.ts'
import { registerAlarmFigures } from '../observation/alarm-board.ts'
import { readBuildInfo } from '../observation/build-info.ts'
import { checkHealth } from '../observation/check-health.ts'
import { registerIndexerFigures } from '../observation/indexer-figures.ts'
import { keepRecent } from '../observation/keep-recent.ts'
import { createRecentOverview } from '../observation/recent-overview.ts'
import { registerOrderFigures } from '../observation/order-figures.ts'
import { registerUsageFigures } from '../observation/usage-figures.ts'
import { registerVenueFigures } from '../observation/venue-figures.ts'
import { startUpkeep } from '../upkeep/start-upkeep.ts'
import type { ChainConfig } from '../../relayer/chain/nodes/config.ts'

const STOP_GRACE_MS = 10_000
const INDEXING_MAX_AGE_MS = 1_000
const OVERVIEW_MAX_AGE_MS = 1_000
/** Counting scans whole tables, hence not more often. */
const USAGE_MAX_AGE_MS = 5_000
const ORDERS_MAX_AGE_MS = 5_000

/** Opens the districts, checks their settings against each other, starts them, and then serves them. */
export async function buildService(foundations: Foundations): Promise<RunningService> {
  const { base, keys, config, devnet, openReader } = foundations
  demandServedCollections(config)
  const opened = await openServices(base, keys, config, {
    openReader,
    provenanceWriter,
    admitsLoopback: devnet !== null,
  })
  warnOfMarks(opened.pool.relayerChains, config.transact.feeReceivers, base.logger)
  if (!devnet) warnOfUnsafeSettings(config, base.logger)
  await demandWrappedCoins(opened.chain.chains.values())
  await opened.start()

  const { services } = opened
  const parts = describeParts(foundations)
  const server = await openServer(foundations, opened, parts)
  const { url } = await server.listen(config.port, config.host)
  base.shutdown.add('HTTP server', () => server.close(STOP_GRACE_MS))
  await devnet?.pointNames(url)
  const operatorUrl = (await openOperatorDoor(server, config, base.shutdown)) ?? url
  return { url, operatorUrl, services, parts, stop: () => base.shutdown.run() }
}

const describeParts = ({ base, config, devnet, aboutDatabase }: Foundations): RunningService['parts'] => ({
  database: aboutDatabase,
  sharedState: base.sharedState.describe(),
  chains: config.chains,
  devnetFile: devnet?.file ?? null,
  asp: devnet?.asp?.url ?? null,
  across: devnet?.across?.url ?? null,
  nameParent: config.names.parent ?? null,
})

/** The HTTP server, with the upkeep and the figures that it shows. */
function openServer(
  { base, keys: { secrets }, config, devnet, tracing }: Foundations,
  { services, chain, pool }: OpenedServices,
  { database: about, sharedState: aboutState, asp }: RunningService['parts'],
): Promise<HttpServer> {
  const { sharedState, logger, shutdown } = base
  const idempotency = createIdempotency({ database: base.database, secrets, logger })
  shutdown.add('idempotency', () => idempotency.stop())
  const upkeep = startUpkeep(base.database, config.upkeep, logger)
  shutdown.add('upkeep', () => upkeep.stop())
  const build = readBuildInfo()
  logger.info({ ...build }, 'the service starts')
  const observation = openObservation(base, chain, pool, config)
  const watched = {
    database: watchDatabase(base.database),
    sharedState,
    chains: chain.chains,
    relayerChains: pool.relayerChains,
    broadcast: chain.broadcast,
  }
  const board = watchAlarms({ ...watched, indexer: chain.indexer, proving: base.proving, logger })
  shutdown.add('alarms', async () => board.stop())
  registerAlarmFigures(observation.registry, board.raised)
  return createHttpServer({
    ...(!isLoopback(config.host) && { operatorDoor: { host: config.operatorHost } }),
    services,
    sharedState,
    idempotency,
    ...observation,
    alarms: board.raised,
    tracing,
    logger,
    config: config.http,
    health: () => checkHealth(watched),
    wallet: offerWallet(config, devnet !== null, { served: chain.chains, relayerChains: pool.relayerChains }),
    payments: offerPaymentPage(config, services),
    describe: () => ({
      version: build.version,
      commit: build.commit,
      database: about,
      sharedState: aboutState,
      asp,
    }),
  })
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
  { database, shutdown }: ServiceBase,
  { chains, indexer }: OpenedServices['chain'],
  { withdrawals }: OpenedServices['pool'],
  { http: { loopDelayEveryMs }, prices }: Pick<ServiceConfig, 'http' | 'prices'>,
) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopDelayEveryMs })
  const indexing = keepRecent(
    rememberLast<readonly IndexProgress[]>(() => indexer.progress(), []),
    INDEXING_MAX_AGE_MS,
  )
  registerIndexerFigures(registry, indexing)
  const usage = keepRecent(
    rememberLast(() => readUsage(database, chains, prices), NO_USAGE),
    USAGE_MAX_AGE_MS,
  )
  registerUsageFigures(registry, usage)
  const orders = keepRecent(
    rememberLast(() => readOrdersOverview(database), NO_ORDERS),
    ORDERS_MAX_AGE_MS,
  )
  registerOrderFigures(registry, orders)
  shutdown.add('figures of venues', registerVenueFigures(registry))
  const overview = createRecentOverview(withdrawals, OVERVIEW_MAX_AGE_MS)
  return { registry, overview, indexing, usage, orders }
}

/** A running service. */
export interface RunningService {
  url: string
  /** URL of the operator's pages; the same as `url` unless HOST admits other machines. */
  operatorUrl: string
  services: Services
  /** The started parts, as shown to people. */
  parts: {
    database: string
    sharedState: string
    chains: readonly ChainConfig[]
    devnetFile: string | null
    asp: string | null
    /** URL of the filler of the devnet's bridge. */
    across: string | null
    /** Parent of the accounts' names; null if none is configured. */
    nameParent: string | null
  }
  stop(): Promise<void>
}
