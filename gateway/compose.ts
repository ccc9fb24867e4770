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
  // Two thirds of the modules are loaded while processes and threads start; a failure of these is thrown below.
  laying.catch(() => undefined)
  const { buildService } = await import('./compose/build-service.ts')
  const foundations = await laying
  options.onProgress?.('chains, pools, signers and accounts')
  return buildService(foundations)
}
