import type { DatabasePool } from 'slonik'
import { readCommand } from '../../../gateway/admin/run-command.ts'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { createLogger } from '../../../gateway/logging.ts'

/**
 * Follows a command line of `npm run admin` in this process, since each process of its own takes a second to load: what
 * it throws, or null, and what it printed.
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
    await readCommand(args)({ database, config: loadConfig(env), logger, print })
  } catch (error) {
    return { refusal: error, printed }
  }
  return { refusal: null, printed }
}
