import { join } from 'node:path'
import type { Logger } from 'pino'
import { connectDatabase } from '../../db/connect-database.ts'
import { demandSameDatabase } from '../../db/database-servers.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { openSharedState } from '../../db/shared-state/open-shared-state.ts'
import { createProvingPool, simulationsAtOnce } from '../../proving/create-proving-pool.ts'
import { type ProvingPool, ProvingBusyError } from '../../proving/proving-pool.ts'
import type { CommitmentKey } from '../../proving/signing/commitment-signer.ts'
import { openBlockReader } from '../../relayer/chain/indexer/open-block-reader.ts'
import { serverBusy } from '../../relayer/errors.ts'
import type { ShutdownList } from '../../relayer/concurrency/shutdown-list.ts'
import type { ServiceBase } from '../../relayer/service-base.ts'
import { createSharedTurns, type SharedTurns } from '../../relayer/shares/shared-turns.ts'
import { createVault } from '../../relayer/identity/create-vault.ts'
import { openMasterKeys } from '../../relayer/identity/open-master-keys.ts'
import { openTransientSecrets, type ServiceKeys } from '../../relayer/identity/transient-secrets.ts'
import type { Vault } from '../../relayer/identity/vault.ts'
import { adoptDevnet } from './adopt-devnet.ts'
import { runDevnet, type RunningDevnet, type StartingDevnet } from './run-devnet.ts'
import { traceProving, traceService } from './trace-service.ts'
import type { RequestTracing } from '../observation/tracing.ts'
import type { ServiceConfig } from '../config/config.ts'
import { countDatabaseConnections } from '../config/count-database-connections.ts'

/** Database connections reserved for work other than clients' reads. */
const KEPT_CONNECTIONS = 2
const MOST_READS_WAITING = 2_000

export interface ComposeOptions {
  config: ServiceConfig
  logger: Logger
  /** Reports the part that is being started, for the terminal. */
  onProgress?: (what: string) => void
  /** Replaces the usual start of worker threads, so that several services of one process may share them. */
  startProving?: typeof createProvingPool
  /** The same for the thread that reads blocks. */
  openReader?: typeof openBlockReader
  /** Replaces the usual start of the devnet as a program of its own. */
  startDevnet?: typeof runDevnet
}

/** The parts on which all others are built. */
export interface Foundations {
  base: ServiceBase
  keys: ServiceKeys
  /** With the devnet's chains where none are configured. */
  config: ServiceConfig
  /** Null if chains are configured. */
  devnet: RunningDevnet | null
  /** Opens the reader of blocks. */
  openReader: typeof openBlockReader
  /** The database in use, as shown to people. */
  aboutDatabase: string
  /** Null unless a collector of traces is configured. */
  tracing: RequestTracing | null
}

const STOP_GRACE_MS = 10_000

/** Starts database, chains, shared state and worker threads. */
export async function layFoundations(options: ComposeOptions, shutdown: ShutdownList): Promise<Foundations> {
  const { config, logger, onProgress = () => {} } = options
  const { openReader = openBlockReader } = options
  const tracing = await traceService(config.tracing, logger, shutdown)
  const starting = await startChains(options, shutdown)
  onProgress('database, chains and worker threads')
  const [database, devnet, proving] = await Promise.all([
    startDatabase(config, logger, shutdown),
    starting?.running ?? null,
    startThreads(options, starting, shutdown),
  ])
  if (devnet) {
    const { importFromDevnet } = await import('./import-from-devnet.ts')
    await importFromDevnet(database.pool, devnet, config)
  }
  const { redisUrl } = config.storage
  const vault = openVault(config, logger)
  const secrets = await openTransientSecrets({ database: database.pool, vault })
  const sharedState = await openSharedState({ ...(redisUrl && { redisUrl }), secrets, logger })
  shutdown.add('shared state', () => sharedState.close())

  return {
    base: {
      database: database.pool,
      sessionUrl: database.sessionUrl,
      sharedState,
      proving: tracing ? traceProving(proving, tracing) : proving,
      logger,
      shutdown,
    },
    keys: { vault, secrets },
    config: devnet ? adoptDevnet(config, devnet) : config,
    devnet,
    openReader,
    aboutDatabase: database.about,
    tracing,
  }
}

async function startThreads(
  { config, logger, startProving = createProvingPool }: ComposeOptions,
  starting: StartingDevnet | null,
  shutdown: ShutdownList,
): Promise<ProvingPool> {
  const commitmentKeys = starting ? [starting.feeReceiverKey] : listCommitmentKeys(config)
  const proving = await startProving({ ...config.proving, commitmentKeys, logger })
  shutdown.add('worker threads', () => proving.close(STOP_GRACE_MS))
  return shareProving(proving, config.proving)
}

const listCommitmentKeys = ({ chains }: ServiceConfig): CommitmentKey[] =>
  chains.flatMap(({ relayer }) => (relayer ? [relayer.feeReceiverKey] : []))

function openVault({ storage, identity }: ServiceConfig, logger: Logger): Vault {
  if (storage.databaseUrl && !identity.masterKeys)
    logger.warn(
      { dataDir: storage.dataDir },
      'keys at rest are wrapped by a master key in the data folder: keep a copy, or set MASTER_KEYS',
    )
  return createVault(openMasterKeys(identity.masterKeys, storage.dataDir))
}

async function startDatabase(config: ServiceConfig, logger: Logger, shutdown: ShutdownList) {
  const { databaseUrl, directUrl, dataDir } = config.storage
  const { namedStatements = directUrl === undefined } = config.storage
  let url = databaseUrl
  if (!url) {
    const embedded = await startEmbeddedPostgres({ dataDir, logger })
    shutdown.add('embedded PostgreSQL', embedded.stop)
    url = embedded.url
  }
  const sessionUrl = directUrl ?? url
  if (directUrl) await demandSameDatabase(url, directUrl)
  await migrateDatabase(sessionUrl, undefined, ({ files, locks }) => {
    logger.info({ files: files.length }, 'the database is migrated')
    for (const { file, table, blocks, isLong, rows } of locks)
      logger.info({ file, table, blocks, rows, isLong }, 'a migration locks a table until all have run')
  })
  const maxPoolSize = countDatabaseConnections(config)
  const pool = await connectDatabase(url, {
    logger,
    maxPoolSize,
    inTurn: shareConnections(maxPoolSize),
    isPooled: directUrl !== undefined,
    namedStatements,
  })
  shutdown.add('database connections', () => pool.end())
  return {
    sessionUrl,
    pool,
    about: databaseUrl ? 'as DATABASE_URL says' : `embedded, in ${join(dataDir, 'postgres')}`,
  }
}

/** Gives clients' reads the connections in turn; a few stay free for all other work. */
function shareConnections(most: number): SharedTurns['run'] {
  const turns = createSharedTurns({
    atOnce: Math.max(1, most - KEPT_CONNECTIONS),
    mostWaiting: MOST_READS_WAITING,
    refuse: () => serverBusy('Too much is being read; try again'),
  })
  return turns.run
}

/** A devnet, if no chains are configured. */
async function startChains(
  { config, logger, onProgress, startDevnet = runDevnet }: ComposeOptions,
  shutdown: ShutdownList,
): Promise<StartingDevnet | null> {
  if (config.chains.length > 0) return null
  const { dataDir } = config.storage
  const plan = { dataDir, config: config.devnet, logger, ...(onProgress && { onProgress }) }
  const starting = await startDevnet(plan)
  shutdown.add('devnet', () => starting.stop())
  return starting
}

/**
 * Gives clients the worker threads in turn, because the threads' queues are ordered by arrival. Proofs pass unchanged:
 * their queues are already per client.
 */
export function shareProving(
  proving: ProvingPool,
  { threads, maxQueue }: { threads: number; maxQueue: number },
): ProvingPool {
  const createTurns = (atOnce: number) =>
    createSharedTurns({
      atOnce,
      mostWaiting: maxQueue,
      refuse: () => new ProvingBusyError('too many tasks are waiting'),
    })
  const simulations = createTurns(simulationsAtOnce(threads))
  const derivations = createTurns(1)
  return {
    ...proving,
    derive: (job) => derivations.run(() => proving.derive(job)),
    simulate: (job) => simulations.run(() => proving.simulate(job)),
    simulateCalls: (job) => simulations.run(() => proving.simulateCalls(job)),
    stats() {
      const stats = proving.stats()
      return { ...stats, queued: stats.queued + simulations.waiting + derivations.waiting }
    },
  }
}
