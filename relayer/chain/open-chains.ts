import type { StorageConfig } from '../../db/config.ts'
import type { ServiceBase } from '../service-base.ts'
import type { BroadcastConfig } from './broadcast/config.ts'
import { createBroadcastEngine } from './broadcast/create-broadcast-engine.ts'
import type { IndexerConfig } from './indexer/config.ts'
import { createIndexer, type FollowedContracts } from './indexer/create-indexer.ts'
import type { openBlockReader } from './indexer/open-block-reader.ts'
import { isRelaying } from './nodes/capabilities.ts'
import type { Chains, RelayingChain, RelayingChains } from './nodes/chain.ts'
import type { ChainConfig } from './nodes/config.ts'
import { openChain } from './nodes/open-chain.ts'
import { createGasBudget } from './unpaid-gas/gas-budget.ts'

/** The settings of the chains. */
export interface ChainSettings {
  chains: ChainConfig[]
  broadcast: BroadcastConfig
  indexer: IndexerConfig
  storage: StorageConfig
}

/** The services of this district. */
export type ChainServices = ReturnType<typeof openChains>

/**
 * Opens the chains: their nodes, the broadcast engine, the budget of unpaid gas, and the indexer. The engine and the indexer
 * start apart, after the districts above have registered with them.
 */
export function openChains(
  base: ServiceBase,
  config: ChainSettings,
  followed: FollowedContracts,
  openReader: typeof openBlockReader,
) {
  const { database, sessionUrl, sharedState, logger, shutdown } = base
  const opened = config.chains.map((chain) =>
    openChain(chain, logger, config.storage.redisUrl ? sharedState : null),
  )
  for (const chain of opened) shutdown.add(`chain ${chain.config.chainId}`, () => chain.stop())
  const chains: Chains = new Map(opened.map((chain) => [chain.config.chainId, chain]))
  const relaying: RelayingChains = new Map<number, RelayingChain>(
    opened.filter(isRelaying).map((chain) => [chain.config.chainId, chain]),
  )
  const broadcast = createBroadcastEngine({
    chains: relaying,
    pool: database,
    databaseUrl: sessionUrl,
    logger,
    config: config.broadcast,
  })
  const gasBudget = openGasBudget(base, relaying)
  const indexer = createIndexer({
    chains,
    pool: database,
    sharedState,
    logger,
    config: config.indexer,
    openReader,
    ...followed,
  })
  shutdown.add('indexer', () => indexer.stop())
  return {
    chains,
    relaying,
    broadcast,
    gasBudget,
    indexer,
    async start() {
      await Promise.all(opened.map((chain) => chain.start()))
      shutdown.add('unpaid gas', () => gasBudget.stop())
      await gasBudget.start()
    },
    async startSending() {
      shutdown.add('broadcast engine', () => broadcast.stop())
      await broadcast.start()
    },
    startIndexing: () => indexer.start(),
  }
}

function openGasBudget({ database, logger }: ServiceBase, relaying: RelayingChains) {
  const budgets = new Map(
    [...relaying].map(([chainId, { config }]) => [chainId, BigInt(config.relayer.unpaidGasPerHour)]),
  )
  return createGasBudget(database, budgets, logger)
}
