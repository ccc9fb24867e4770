import { loadServices } from '../relayer/load-services.ts'
import { createShutdownList, type ShutdownList } from '../relayer/concurrency/shutdown-list.ts'
import { layFoundations, type ComposeOptions } from './compose/foundations.ts'
import type { RunningService } from './compose/build-service.ts'

/**
 * Builds the whole service from its configuration and starts it: the composition root. If it fails, everything started
 * so far is stopped again.
 */
export async function startService(options: ComposeOptions): Promise<RunningService> {
  const shutdown = createShutdownList(options.logger)
  try {
    return await compose(options, shutdown)
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

async function compose(options: ComposeOptions, shutdown: ShutdownList): Promise<RunningService> {
  const laying = layFoundations(options, shutdown)
  // Thrown below.
  laying.catch(() => undefined)
  await loadServices()
  const { buildService } = await import('./compose/build-service.ts')
  const foundations = await laying
  options.onProgress?.('chains, pools, signers and accounts')
  return buildService(foundations)
}
