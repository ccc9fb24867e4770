import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { devnetReport } from '../../gateway/compose/devnet-report.ts'
import { loadConfig } from '../../gateway/config/load-config.ts'
import { createLogger } from '../../gateway/logging.ts'
import { printProgress } from '../../gateway/terminal.ts'
import { exitProcess } from '../../relayer/concurrency/run-contained.ts'
import { checkPackages } from './missing-packages.ts'
import { startDevnet } from './start-devnet.ts'

// The devnet without a service, with the same settings. It writes the configuration with which a service uses it.

const print = (line: string) => process.stderr.write(`${line}\n`)

async function run(): Promise<void> {
  const { storage, devnet: config, host, port, logLevel } = loadConfig(process.env, print)
  const { dataDir } = storage
  checkPackages()
  const logger = createLogger({ level: logLevel })
  const starting = startDevnet({ dataDir, config, logger, onProgress: printProgress })
  const stop = () => {
    const exit = (code: number) => () => exitProcess(code)
    starting.then((devnet) => devnet.stop()).then(exit(0), exit(1))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const devnet = await starting
  await devnet.pointNames(`http://${host}:${port}`)
  const file = join(dataDir, 'devnet', 'service.json')
  await writeFile(file, `${JSON.stringify(devnet.report.settings, null, 2)}\n`)
  print(describe(devnet.report, file))
}

/** Says the place of everything, and how a service uses it. */
function describe(
  { settings, asp, across, file }: Pick<z.input<typeof devnetReport>, 'settings' | 'asp' | 'across' | 'file'>,
  configuration: string,
): string {
  const facts = [
    ...settings.chains.map(({ name, rpcUrls }) => `${name} at ${rpcUrls[0]}`),
    ...(asp ? [`ASP at ${asp.url}`] : []),
    ...(across ? [`bridge between the chains; who fills it is at ${across.url}`] : []),
    `described for clients in ${file}`,
  ]
  return [
    '\n  The devnet runs',
    '',
    ...facts.map((fact) => `    ${fact}`),
    '',
    '  A service uses it in a second terminal by',
    `    CONFIG=${configuration} npm start`,
    '',
  ].join('\n')
}

try {
  await run()
} catch (error) {
  print(`The devnet did not start: ${error instanceof Error ? error.message : String(error)}`)
  exitProcess(1)
}
