import { pino } from 'pino'
import { runDevnet } from '../../../gateway/compose/run-devnet.ts'
import type { DevnetConfig } from '../../../gateway/config/devnet-config.ts'

// Stands for a service that a test can kill: runs the devnet of a folder until the end.
const { dataDir, config } = JSON.parse(process.argv[2] ?? '') as { dataDir: string; config: DevnetConfig }
const { running } = await runDevnet({ dataDir, config, logger: pino({ level: 'silent' }) })
await running
process.send?.('running')
