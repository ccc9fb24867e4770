import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { ServiceConfig } from '../config/config.ts'

/** The parts that a command may use. */
export interface AdminContext {
  database: DatabasePool
  config: ServiceConfig
  logger: Logger
  /** Writes a line to standard output. */
  print(line: string): void
}

type Options = Readonly<Record<string, { type: 'string'; default?: string }>>

/** One command of `npm run admin`. */
export interface AdminCommand {
  /** The words of its name: `api-key create`. */
  name: string
  /** The arguments after the name, for the help text. */
  usage: string
  help: string
  /** How many words follow the name. */
  words: { least: number; most: number }
  options: Options
  /** @throws AdminError for problems that the operator has to solve. */
  run(
    context: AdminContext,
    words: readonly string[],
    options: Readonly<Record<string, string | undefined>>,
  ): Promise<void>
}
