import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startService } from './compose.ts'
import type { ServiceConfig } from './config/config.ts'
import { ENVIRONMENT } from './config/environment.ts'
import { loadConfig } from './config/load-config.ts'
import { redact } from './config/redact-config.ts'
import { checkPorts } from './http/check-ports.ts'
import { createLogger } from './logging.ts'
import { findWallet } from './pages/find-built.ts'
import { explainStartFailure, openTerminalLog, printLine, printProgress, printStarted } from './terminal.ts'
import { exitProcess } from '../relayer/concurrency/run-contained.ts'

const HELP = `Usage: npm start -- [--print-config] [--reset] [--help]

  --print-config  show the configuration in force, without secrets, and exit
  --reset         delete the embedded database and the devnet's chains first

Environment (CONFIG names a JSON file with the same settings and more):
${Object.entries(ENVIRONMENT)
  .map(([name, { help }]) => `  ${name.padEnd(22)} ${help}`)
  .join('\n')}
`

/** Deletes the data of an embedded start from the data folder, and nothing else there. */
async function resetData({ dataDir }: ServiceConfig['storage']): Promise<void> {
  for (const name of ['postgres', 'devnet', 'devnet.json'])
    await rm(join(dataDir, name), { recursive: true, force: true })
}

async function run(config: ServiceConfig): Promise<void> {
  await checkPorts(config)
  const logger = createLogger({
    level: config.logLevel,
    ...(process.stdout.isTTY && { destination: await openTerminalLog() }),
  })
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'))
  const starting = startService({ config, logger, onProgress: printProgress })
  let signals = 0
  // Installed first: parts of an interrupted start must not remain.
  const stop = () => {
    signals += 1
    if (signals > 1) process.exit(1)
    printLine('\n  stopping  …  (a second Ctrl-C stops at once)')
    starting
      .then((service) => service.stop())
      .then(
        () => exitProcess(0),
        () => exitProcess(1),
      )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  printStarted(await starting, config)
  // In the background: the page is then ready when it is first opened.
  if (config.wallet ?? config.chains.length === 0)
    findWallet().catch((error: unknown) => logger.warn({ err: error }, 'the wallet is not served'))
}

try {
  const { values } = parseArgs({
    options: { 'print-config': { type: 'boolean' }, reset: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(HELP)
    exitProcess(0)
  } else {
    const config = loadConfig(process.env, (message) => console.warn(message))
    if (values['print-config']) {
      console.log(JSON.stringify(redact(config), null, 2))
      exitProcess(0)
    } else {
      if (values.reset) await resetData(config.storage)
      await run(config)
    }
  }
} catch (error) {
  printLine(explainStartFailure(error))
  exitProcess(1)
}
