import { UnusableDatabaseError } from '../../db/database-servers.ts'
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
  const command = parseCommand(args)
  const config = loadConfig(process.env, (message) => console.warn(message))
  const context = { config, env: process.env, print: (line: string) => console.log(line) }
  if (!command.usesDatabase) return command.run(context)
  const logger = createLogger({ level: 'silent' })
  const database = await openDatabase(config.storage, logger)
  try {
    await command.run({ ...context, database: database.pool, logger })
  } finally {
    await database.close()
  }
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isMeant = [AdminError, ConfigError, UnusableDatabaseError, VaultError].some(
    (kind) => error instanceof kind,
  )
  console.error(isMeant ? (error as Error).message : describeError(error))
  process.exitCode = 1
}
