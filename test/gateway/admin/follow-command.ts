import type { DatabasePool } from 'slonik'
import { parseCommand } from '../../../gateway/admin/run-command.ts'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { createLogger } from '../../../gateway/logging.ts'

/**
 * Runs a command line of `npm run admin` in this process, because a process takes a second to load.
 * @returns Its error, or null, and its output.
 */
export async function followCommand(
  args: readonly string[],
  database: DatabasePool,
  env: Record<string, string>,
): Promise<{ refusal: unknown; printed: string[] }> {
  const printed: string[] = []
  const logger = createLogger({ level: 'silent' })
  const print = (line: string) => void printed.push(line)
  try {
    await parseCommand(args).run({ database, config: loadConfig(env), env, logger, print })
  } catch (error) {
    return { refusal: error, printed }
  }
  return { refusal: null, printed }
}
