import { exitProcess } from '../../relayer/concurrency/run-contained.ts'
import { deriveAccounts } from './accounts.ts'
import type { DevnetMessage, DevnetRequest, DevnetStart } from '../../gateway/compose/devnet-report.ts'
import { checkPackages } from './missing-packages.ts'
import { startDevnet, type Devnet } from './start-devnet.ts'

// The devnet beside a service, which started it and receives its messages.

let devnet: Devnet | null = null
// At once: a service that is started again must not meet us. The keepers of the chains let them write their state.
const die = () => process.kill(process.pid, 'SIGKILL')
process.once('disconnect', die)
if (!process.connected) die()
process.once('SIGTERM', () => void (devnet ? end(devnet) : die()))
process.on('message', (request: DevnetRequest) => void pointNames(request))

const { dataDir, config, logLevel } = JSON.parse(process.argv[2] ?? '') as DevnetStart
try {
  checkPackages()
  await say({ kind: 'accepted', feeReceiverKey: deriveAccounts().feeReceiver.privateKey })
  // The log brings viem, for which the service need not wait.
  const { createLogger } = await import('../../gateway/logging.ts')
  const logger = createLogger({ level: logLevel })
  const onProgress = (text: string) => void say({ kind: 'progress', text })
  devnet = await startDevnet({ dataDir, config, logger, onProgress })
  await say({ kind: 'running', report: devnet.report })
} catch (error) {
  await fail(error)
  exitProcess(1)
}

/** Resolves once the message is on its way. */
function say(message: DevnetMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()))
}

async function pointNames({ serviceUrl }: DevnetRequest): Promise<void> {
  try {
    await devnet?.pointNames(serviceUrl)
    await say({ kind: 'names-pointed' })
  } catch (error) {
    await fail(error)
  }
}

function fail(error: unknown): Promise<void> {
  return say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
}

async function end({ stop }: Devnet): Promise<void> {
  const code = await stop().then(
    () => 0,
    (error: unknown) => {
      console.error('the devnet did not stop cleanly:', error)
      return 1
    },
  )
  exitProcess(code)
}
