// A process that only indexes, for tests that kill it: node indexer-process.ts <databaseUrl> <chain as JSON> <rpcUrl
// …>
import { connectDatabase } from '../../../../db/connect-database.ts'
import { chainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { startIndexer } from './start-indexer.ts'

const [databaseUrl = '', chain = '{}', ...rpcUrls] = process.argv.slice(2)
const pool = await connectDatabase(databaseUrl)
await startIndexer(
  pool,
  chainConfig.parse(JSON.parse(chain)),
  { leaseMs: 1_000, parallelBlocks: 2, timeoutMs: 500, logRange: 20, depth: 32 },
  { rpcUrls },
)
process.stdout.write('ready\n')
