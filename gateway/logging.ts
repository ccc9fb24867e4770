import { pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import { hideSecrets } from './hide-secrets.ts'
import { shortenAddresses } from './shorten-addresses.ts'

export type { Logger } from 'pino'

/**
 * The service's log: one JSON object per line, on standard output unless `destination` is given.
 * Everything is made by this and its `child()`ren, so that secrets are hidden everywhere.
 */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: hideSecrets },
    // pino's own would describe an error's description once more
    serializers: { err: (description: unknown) => description },
    hooks: { streamWrite: shortenAddresses, logMethod: nameErrors },
  }
  const logger = options.destination ? pino(settings, options.destination) : pino(settings)
  const bear = logger.child
  // Children format what is bound to them by nothing of ours; theirs have this method from them.
  logger.child = function (this: Logger, bindings, given) {
    return bear.call(this, hideSecrets(bindings), given)
  } as typeof bear
  return logger
}

/** Without words of ours an entry would repeat the error's own, undescribed. */
function nameErrors(this: Logger, [first, message, ...rest]: Parameters<LogFn>, log: LogFn): void {
  const error = first instanceof Error ? first : (first as { err?: unknown } | null)?.err
  if (!(error instanceof Error)) return log.call(this, first, message, ...rest)
  const fields = first instanceof Error ? { err: first } : first
  log.call(this, fields, message ?? error.name, ...rest)
}
