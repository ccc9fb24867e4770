// Takes submissions in its own process, for tests that kill it: node submission-process.ts <settings> <file>. The file
// holds the clients' submissions; each is repeated until it is answered.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectDatabase } from '../../../../db/connect-database.ts'
import { createProvingPool } from '../../../../proving/create-proving-pool.ts'
import { readWire, type WireSubmission } from './read-wire.ts'
import { startSubmissions, type SubmissionSettings } from './start-submissions.ts'

const [given = '{}', file = ''] = process.argv.slice(2)
const settings = JSON.parse(given) as SubmissionSettings
const proving = await createProvingPool({ threads: 1, commitmentKeys: [] })
const service = await startSubmissions(await connectDatabase(settings.databaseUrl), proving, settings)
const submissions = JSON.parse(await readFile(file, 'utf8')) as WireSubmission[]
await Promise.all(
  submissions.map(async (wire) => {
    for (;;) {
      const answer = await service.submit(wire.accountId, readWire(wire)).catch((error: unknown) => error)
      if (!(answer instanceof Error)) return
      await sleep(100)
    }
  }),
)
