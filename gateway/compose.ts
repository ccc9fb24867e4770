import { setImmediate } from 'node:timers/promises'
import { layFoundations, type ComposeOptions } from './compose/foundations.ts'
import type { RunningService } from './compose/running-service.ts'
import { createShutdownList, type ShutdownList } from './shutdown.ts'

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
  const { buildService } = await loadRest()
  const foundations = await laying
  options.onProgress?.('chains, pools, signers and accounts')
  return buildService(foundations)
}

/**
 * Loads the modules above the foundations, two thirds of all, while processes and threads start. It loads part by part,
 * because loading blocks the event loop.
 */
async function loadRest() {
  const parts = [
    () => import('./compose/open-relay.ts'),
    () => import('./compose/open-accounts.ts'),
    () => import('./compose/open-holdings.ts'),
    () => import('./compose/open-sending.ts'),
    () => import('./compose/open-inspection.ts'),
  ]
  for (const load of parts) {
    await setImmediate()
    await load()
  }
  return import('./compose/build-service.ts')
}
