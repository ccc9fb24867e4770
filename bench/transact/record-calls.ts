/**
 * Loaded into a service by `--import`: at each SIGUSR2 it writes the own files with a function that ran since the last one.
 * The functions of a module's start are the module itself, which has no name.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { isMainThread } from 'node:worker_threads'

const ROOT = new URL('../..', import.meta.url).href
const OWN = /^(?:gateway|schema|relayer|proving|db)\//

const target = process.env.RECORD_CALLS
if (isMainThread && target && process.argv[1]?.endsWith('start.mjs')) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true })
  process.on('SIGUSR2', () => void record(session, target))
}

async function record(session: Session, file: string): Promise<void> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ran = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  )
  const files = ran.filter(({ url }) => url.startsWith(ROOT)).map(({ url }) => url.slice(ROOT.length))
  const own = files.filter((path) => OWN.test(path)).toSorted()
  writeFileSync(`${file}.part`, JSON.stringify(own))
  renameSync(`${file}.part`, file)
}
