import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { listActiveDescriptors, listenSnapshots } from '../../../db/inspect/clear-signing/snapshots.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { arrangeDescriptors, type ActiveDescriptors } from './arrange-descriptors.ts'
import type { ClearSigningConfig } from './config.ts'

const RETRY_MS = 5_000

/** The active descriptors, cached in memory. */
export interface OpenActiveDescriptors {
  current(): ActiveDescriptors
  stop(): Promise<void>
}

/**
 * Loads the active descriptors and follows imports: every instance serves a new import within moments. If it cannot
 * be loaded, the former descriptors stay.
 *
 * @throws the database's error if the first load fails.
 */
export async function openActiveDescriptors({
  database,
  databaseUrl,
  config,
  logger,
}: {
  database: DatabasePool
  /** For the connection that listens for imports. */
  databaseUrl: string
  config: ClearSigningConfig
  logger: Logger
}): Promise<OpenActiveDescriptors> {
  let current: ActiveDescriptors | null = null
  let retry: NodeJS.Timeout | undefined

  async function load(): Promise<ActiveDescriptors> {
    const rows = await listActiveDescriptors(database)
    return arrangeDescriptors(rows.filter(({ status }) => config.pullRequests || status !== 'pull_request'))
  }

  const reload = coalesceRuns(
    async () => {
      current = await load()
    },
    (error) => {
      logger.warn({ err: error }, 'descriptors could not be loaded; the former ones are served')
      clearTimeout(retry)
      retry = setTimeout(() => void reload(), RETRY_MS).unref()
    },
  )
  const listener = await listenSnapshots(databaseUrl, {
    message: () => void reload(),
    open: () => void (current && reload()),
    lost: (reason) =>
      logger.warn({ reason }, 'the connection for imports of descriptors is lost; it is opened again'),
  })
  let loaded: ActiveDescriptors
  try {
    loaded = await load()
  } catch (error) {
    await listener.close()
    throw error
  }
  // A notification during the first load may have loaded newer descriptors already.
  current ??= loaded
  return {
    current: () => current ?? loaded,
    async stop() {
      clearTimeout(retry)
      await listener.close()
    },
  }
}
