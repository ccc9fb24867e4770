import { once } from 'node:events'
import { connectDatabase } from '../../../../db/connect-database.ts'
import type { IndexerConfig } from '../../../../relayer/chain/indexer/config.ts'
import type { ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { startIndexer } from './start-indexer.ts'

/** The orders of a process that indexes a chain, passed at its start. */
export interface IndexOrders {
  databaseUrl: string
  chain: ChainConfig
  settings: Partial<IndexerConfig>
}

// A process that a test can kill at any line. It ends with the test that forked it.
process.on('disconnect', () => process.exit())
const [{ databaseUrl, chain, settings }] = (await once(process, 'message')) as [IndexOrders]
await startIndexer(await connectDatabase(databaseUrl), chain, settings, { rpcUrls: chain.rpcUrls })
