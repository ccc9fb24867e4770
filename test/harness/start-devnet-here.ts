import type { RunningDevnet, runDevnet } from '../../gateway/compose/run-devnet.ts'
import type { ChainConfig } from '../../relayer/chain/nodes/config.ts'
import { deriveAccounts } from '../devnet/accounts.ts'
import { devnetReport } from '../../gateway/compose/devnet-report.ts'
import { startDevnet, type Devnet, type DevnetOptions } from '../devnet/start-devnet.ts'

/** A devnet of this process. */
export interface DevnetHere extends RunningDevnet, Devnet {
  /** As the service sees them. */
  chains: ChainConfig[]
}

/** Starts a devnet in this process: a program of its own would load the same modules once more. */
export async function startDevnetHere(options: DevnetOptions): Promise<DevnetHere> {
  const devnet = await startDevnet(options)
  const received = devnetReport.parse(JSON.parse(JSON.stringify(devnet.report)))
  return { ...received, ...devnet, chains: received.settings.chains }
}

/** The same for a service of this process. */
export const runDevnetHere: typeof runDevnet = async (plan) => {
  const running = startDevnetHere(plan)
  return {
    feeReceiverKey: deriveAccounts().feeReceiver.privateKey,
    running,
    stop: () =>
      running.then(
        ({ stop }) => stop(),
        () => undefined,
      ),
  }
}
