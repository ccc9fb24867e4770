// A process that only broadcasts, for tests that kill it: node engine-process.ts <databaseUrl> <rpcUrl> <signers>
import { connectDatabase } from '../../../../db/connect-database.ts'
import { startEngine } from './start-engine.ts'

const [databaseUrl = '', rpcUrl = '', signers = '1'] = process.argv.slice(2)
const pool = await connectDatabase(databaseUrl)
await startEngine(pool, { rpcUrls: [rpcUrl], databaseUrl, signers: Number(signers), confirmations: 1 })
process.stdout.write('ready\n')
