import type { ChainConfig } from '../../relayer/chain/nodes/config.ts'
import { devnetReport } from '../../relayer/devnet/devnet-report.ts'
import { startDevnet, type Devnet, type DevnetOptions } from '../../relayer/devnet/start-devnet.ts'

/** A devnet of this process. */
export interface DevnetHere extends Devnet {
  /** As the service sees them. */
  chains: readonly ChainConfig[]
  asp: { url: string } | null
}

/** Starts a devnet in this process instead of one of its own, which a test or bench pays for. */
export async function startDevnetHere(options: DevnetOptions): Promise<DevnetHere> {
  const devnet = await startDevnet(options)
  const { settings, asp } = devnetReport.parse(JSON.parse(JSON.stringify(devnet.report)))
  return { ...devnet, chains: settings.chains, asp }
}
