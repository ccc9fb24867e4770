import { pino } from 'pino'
import { devnetConfig } from '../../../relayer/devnet/config.ts'
import { startDevnet } from '../../../relayer/devnet/start-devnet.ts'

// A service that a test can kill: a devnet of one chain in the folder given, until the end.
const config = devnetConfig.parse({ chainIds: [31_337], ports: [], aspDelaySeconds: 0 })
const { report } = await startDevnet({
  dataDir: process.argv[2] ?? '',
  config,
  logger: pino({ level: 'silent' }),
})
process.send?.(report.file)
