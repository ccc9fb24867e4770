import { setImmediate } from 'node:timers/promises'
import type { ChainConfig } from '../relayer/chain/nodes/config.ts'
import type { Services } from '../relayer/services.ts'
import { layFoundations, type ComposeOptions } from './compose/foundations.ts'
import { createShutdownList, type ShutdownList } from './shutdown.ts'

/** A running service. */
export interface RunningService {
  url: string
  /** URL of the operator's pages; the same as `url` unless HOST admits other machines. */
  operatorUrl: string
  services: Services
  /** What was started, as shown to people. */
  parts: {
    database: string
    sharedState: string
    chains: readonly ChainConfig[]
    devnetFile: string | null
    asp: string | null
    /** URL of the filler of the devnet's bridge. */
    across: string | null
    /** Parent of the accounts' names; null where none is configured. */
    nameParent: string | null
  }
  stop(): Promise<void>
}

/**
 * Builds the whole service from its configuration and starts it: the composition root. On failure everything
 * that was started is stopped again.
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
 * Loads what stands on the foundations, two thirds of the modules, while processes and threads start: part by part, because
 * loading holds the event loop, and they are waited for in between.
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
