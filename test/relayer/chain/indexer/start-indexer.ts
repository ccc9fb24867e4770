import { pino } from 'pino'
import type { DatabasePool } from 'slonik'
import { createMemoryState } from '../../../../db/shared-state/create-memory-state.ts'
import type { SharedState } from '../../../../db/shared-state/shared-state.ts'
import type { ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { indexerConfig, type IndexerConfig } from '../../../../relayer/chain/indexer/config.ts'
import { createIndexer } from '../../../../relayer/chain/indexer/create-indexer.ts'
import type { Indexer } from '../../../../relayer/chain/indexer/indexer.ts'
import { shareBlockReader } from '../../../harness/share-block-reader.ts'

export interface RunningIndexer {
  indexer: Indexer
  stop(): Promise<void>
}

/** Starts an indexer of one chain that polls often, because a test waits for it. */
export async function startIndexer(
  pool: DatabasePool,
  chain: ChainConfig,
  settings: Partial<Record<keyof IndexerConfig, unknown>> = {},
  overrides: { rpcUrls?: readonly string[]; sharedState?: SharedState } = {},
): Promise<RunningIndexer> {
  const logger = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  const config = {
    ...chain,
    ...(overrides.rpcUrls && { rpcUrls: [...overrides.rpcUrls] }),
    pollIntervalMs: 50,
  }
  const opened = openChain(config, logger)
  const sharedState = overrides.sharedState ?? createMemoryState(pino({ level: 'silent' }))
  const indexer = createIndexer({
    chains: new Map([[chain.chainId, opened]]),
    pool,
    sharedState,
    logger,
    config: indexerConfig.parse({ lookMs: 50, ...settings }),
    // A node at the same port must not inherit what the thread learnt of its predecessor's gaps.
    ...(!overrides.rpcUrls && { openReader: shareBlockReader }),
  })
  await indexer.start()
  await opened.start()
  return {
    indexer,
    async stop() {
      await indexer.stop()
      await opened.stop()
    },
  }
}
