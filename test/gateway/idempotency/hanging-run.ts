import { connectDatabase } from '../../../db/connect-database.ts'
import { createIdempotency } from '../../../gateway/idempotency/create-idempotency.ts'
import { createLogger } from '../../../gateway/logging.ts'

// A process of its own that begins to run what it is given, and never ends.
const [url = '', request = '{}'] = process.argv.slice(2)
const idempotency = createIdempotency({
  database: await connectDatabase(url),
  logger: createLogger({ level: 'silent' }),
  leaseMs: 600,
})
await idempotency.once(JSON.parse(request), () => {
  process.stdout.write('running\n')
  return new Promise(() => {})
})
