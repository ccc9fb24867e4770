import { pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import { isDatabaseLost, isDiskFull } from '../db/database-faults.ts'
import { findAlarmCode } from './alarms.ts'
import { hideSecrets } from './hide-secrets.ts'
import { shortenAddresses } from './describe-error.ts'

export type { Logger } from 'pino'

/**
 * The service's log: one JSON object per line, on standard output unless `destination` is given. Everything is logged
 * by this logger and its `child()`ren, so that secrets are hidden everywhere.
 */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: hideAll },
    // pino's own serializer would describe an error's description again.
    serializers: { err: (description: unknown) => description },
    hooks: { streamWrite: shortenAddresses, logMethod: addCode },
  }
  const logger = options.destination ? pino(settings, options.destination) : pino(settings)
  const bear = logger.child
  // pino does not apply our formatter to the bindings of children; this method, which children inherit, does.
  logger.child = function (this: Logger, bindings, given) {
    return bear.call(this, hideAll(bindings), given)
  } as typeof bear
  return logger
}

/** Always returns loggable fields: an unreadable error must not fail the work that logs it. */
function hideAll<Fields extends object>(fields: Fields): Fields | { unreadable: string } {
  try {
    return hideSecrets(fields)
  } catch (error) {
    return { unreadable: error instanceof Error ? error.name : typeof error }
  }
}

/** Adds the code of an alarm to its entry. */
function addCode(this: Logger, args: Parameters<LogFn>, log: LogFn, level: number): void {
  // The alarm DATABASE_DOWN speaks for all of them.
  if (level >= WARN && isOfLostDatabase(args[0])) return
  const named = nameErrors(args)
  const [fields, message] = named as [unknown, string | undefined]
  const text = typeof fields === 'string' ? fields : message
  const alarm =
    level >= WARN && text !== undefined ? findAlarmCode(this.levels.labels[level] ?? '', text) : undefined
  if (alarm === undefined || (typeof fields === 'object' && fields !== null && 'alarm' in fields))
    return log.apply(this, named)
  log.call(this, { alarm, ...(typeof fields === 'object' && fields) }, text)
}

function isOfLostDatabase(fields: unknown): boolean {
  const error = fields instanceof Error ? fields : (fields as { err?: unknown } | null)?.err
  return isDatabaseLost(error) || isDiskFull(error)
}

/** pino's number of the level `warn`. */
const WARN = 40

/** Without a message, pino would repeat the error's own message, which is not shortened. */
function nameErrors([first, message, ...rest]: Parameters<LogFn>): Parameters<LogFn> {
  const error = first instanceof Error ? first : (first as { err?: unknown } | null)?.err
  if (!(error instanceof Error)) return [first, message, ...rest]
  const fields = first instanceof Error ? { err: first } : first
  return [fields, message ?? error.name, ...rest]
}
