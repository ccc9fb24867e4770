// A process that only broadcasts, for tests that kill it: node engine-process.ts <databaseUrl> <rpcUrl> <signers>
// [<first> <count>]. With a count it sends that many calls by itself, eight at once.
import { connectDatabase } from '../../../../db/connect-database.ts'
import { runConcurrently } from '../../../harness/relay-requests.ts'
import { sendOne } from './send-one.ts'
import { startEngine } from './start-engine.ts'

const [databaseUrl = '', rpcUrl = '', signers = '1', first = '0', count = '0'] = process.argv.slice(2)
const pool = await connectDatabase(databaseUrl)
const engine = await startEngine(pool, {
  rpcUrls: [rpcUrl],
  databaseUrl,
  signers: Number(signers),
  confirmations: 1,
})
process.stdout.write('ready\n')
const calls = Array.from({ length: Number(count) }, (_, index) => Number(first) + index)
await runConcurrently(calls, 8, (index) => sendOne(engine, index))
