import { ConfigError } from '../config/config-error.ts'
import { loadConfig } from '../config/load-config.ts'
import { describeError } from '../describe-error.ts'
import { createLogger } from '../logging.ts'
import { VaultError } from '../../relayer/identity/create-vault.ts'
import { AdminError } from './command.ts'
import { openDatabase } from './open-database.ts'
import { HELP, parseCommand } from './run-command.ts'

async function run(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    console.log(HELP)
    return
  }
  if (args[0] === 'doctor') {
    const { diagnose } = await import('./doctor/diagnose.ts')
    const isWell = await diagnose(loadConfig(process.env, console.warn), console.log)
    if (!isWell) process.exitCode = 1
    return
  }
  const command = parseCommand(args)
  const config = loadConfig(process.env, (message) => console.warn(message))
  const logger = createLogger({ level: 'silent' })
  const database = await openDatabase(config.storage, logger)
  try {
    await command({ database: database.pool, config, logger, print: (line) => console.log(line) })
  } finally {
    await database.close()
  }
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isMeant = [AdminError, ConfigError, VaultError].some((kind) => error instanceof kind)
  console.error(isMeant ? (error as Error).message : describeError(error))
  process.exitCode = 1
}
