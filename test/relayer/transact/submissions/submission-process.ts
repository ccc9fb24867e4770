// Takes submissions in a process of its own, for tests that kill it: node submission-process.ts <settings as JSON>
import { connectDatabase } from '../../../../db/connect-database.ts'
import { startSubmissions, type SubmissionSettings } from './start-submissions.ts'

const settings = JSON.parse(process.argv[2] ?? '{}') as SubmissionSettings
await startSubmissions(await connectDatabase(settings.databaseUrl), settings)
process.stdout.write('ready\n')
