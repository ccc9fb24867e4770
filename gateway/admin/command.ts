import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { ServiceConfig } from '../config/config.ts'

/** The parts that every command may use. */
export interface SettingsContext {
  config: ServiceConfig
  /** The environment, for secrets that no setting holds. */
  env: NodeJS.ProcessEnv
  /** Writes a line to standard output. */
  print(line: string): void
}

/** The parts of a command that works on the service's database, which is migrated first. */
export interface AdminContext extends SettingsContext {
  database: DatabasePool
  logger: Logger
}

type Options = Readonly<Record<string, { type: 'string'; default?: string }>>

/** Name, arguments and help of a command. */
interface CommandForm {
  /** The words of its name: `api-key create`. */
  name: string
  /** The arguments after the name, for the help text. */
  usage: string
  help: string
  /** How many words follow the name. */
  words: { least: number; most: number }
  options: Options
}

/** The given options by their names. */
export type GivenOptions = Readonly<Record<string, string | undefined>>

/** One command of `npm run admin`. */
export interface AdminCommand extends CommandForm {
  usesDatabase?: true
  /** @throws AdminError for problems that the operator has to solve. */
  run(context: AdminContext, words: readonly string[], options: GivenOptions): Promise<void>
}

/** A command that needs no database, or opens it by itself. */
export interface SettingsCommand extends CommandForm {
  usesDatabase: false
  /** @throws AdminError for problems that the operator has to solve. */
  run(context: SettingsContext, words: readonly string[], options: GivenOptions): Promise<void>
}

/** A command that cannot be executed. The operator sees the message without a stack. */
export class AdminError extends Error {
  override name = 'AdminError'
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DAY_MS = 86_400_000

/** @throws AdminError if the text is not an accountId. */
export function readAccountId(text: string | undefined): string {
  if (text !== undefined && UUID.test(text)) return text.toLowerCase()
  throw new AdminError(
    text === undefined ? '--account <accountId> is missing' : `${text} is no accountId: expected a uuid`,
  )
}

/** @throws AdminError if the text is not an integer from `least` to `most`. */
export function readNumber(name: string, text: string, [least, most]: readonly [number, number]): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (number >= least && number <= most) return number
  throw new AdminError(`--${name} is ${text}: expected a whole number from ${least} to ${most}`)
}

/** The time this many days from now; null if no number is given, which means never. */
export function readExpiry(days: string | undefined): Date | null {
  return days === undefined ? null : new Date(Date.now() + readNumber('days', days, [1, 3_650]) * DAY_MS)
}

/** @throws AdminError if the option is neither yes nor no. */
export function readYes(name: string, options: GivenOptions): boolean {
  const text = options[name] ?? 'no'
  if (text !== 'yes' && text !== 'no') throw new AdminError(`--${name} is ${text}: expected yes or no`)
  return text === 'yes'
}

/** A line of plain text. */
export function readLabel(text: string): string {
  if (/^[^\p{Cc}]{0,100}$/u.test(text)) return text
  throw new AdminError('--label is too long or has control characters: expected at most 100 on one line')
}
