import { connectDatabase } from '../../../db/connect-database.ts'
import { createIdempotency } from '../../../gateway/idempotency/create-idempotency.ts'
import { createTransientSecrets } from '../../../relayer/identity/transient-secrets.ts'
import { createLogger } from '../../../gateway/logging.ts'

// Runs in its own process: starts the given work and never ends.
const [url = '', request = '{}'] = process.argv.slice(2)
const idempotency = createIdempotency({
  database: await connectDatabase(url),
  secrets: createTransientSecrets(Buffer.alloc(32)),
  logger: createLogger({ level: 'silent' }),
  leaseMs: 3_000,
})
await idempotency.once(JSON.parse(request), () => {
  process.stdout.write('running\n')
  return new Promise(() => {})
})
