import { pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import { describeError } from './describe-error.ts'

export type { Logger } from 'pino'

/**
 * Members that never reach a log, whatever object holds them: secrets, and whatever links a person to a withdrawal.
 * A name is matched at the top and up to three levels down.
 */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'token',
  'accessToken',
  'apiKey',
  'password',
  'secret',
  'privateKey',
  'signerKeys',
  'feeReceiverKey',
  'masterKeys',
  'childViewKey',
  'signature',
  'signedRelayerCommitment',
  'proof',
  'publicSignals',
  'withdrawal',
  'withdrawalData',
  'feeCommitment',
  'recipient',
  'clientAddress',
  'rpcUrls',
  'databaseUrl',
  'redisUrl',
]
const DEPTHS = ['', '*.', '*.*.', '*.*.*.']

/**
 * The service's log: one JSON object per line, on standard output unless `destination` is given.
 * Everything is made by this and its `child()`ren, so that redaction holds everywhere.
 */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: SECRET_MEMBERS.flatMap((member) => DEPTHS.map((depth) => depth + member)),
      censor: '[redacted]',
    },
    serializers: { err: describeError },
    hooks: { streamWrite: shortenAddresses, logMethod: nameErrors },
  }
  return options.destination ? pino(settings, options.destination) : pino(settings)
}

/** Without words of ours an entry would repeat the error's own, unread by {@link describeError}. */
function nameErrors(this: Logger, [first, message, ...rest]: Parameters<LogFn>, log: LogFn): void {
  const error = first instanceof Error ? first : (first as { err?: unknown } | null)?.err
  if (!(error instanceof Error)) return log.call(this, first, message, ...rest)
  const fields = first instanceof Error ? { err: first } : first
  log.call(this, fields, message ?? error.name, ...rest)
}

const ADDRESS = /\b((?:https?|wss?|postgres(?:ql)?|rediss?):\/\/)([^\s"\\/@]*@)?([^\s"\\/]+)([^\s"\\]*)/g

/** Addresses keep their host only, wherever in a line they stand: paths and queries of RPC addresses hold keys. */
function shortenAddresses(line: string): string {
  return line.replaceAll(ADDRESS, (_, scheme: string, user: string | undefined, host: string, path: string) =>
    user || path.length > 1 ? `${scheme}${host}/…` : scheme + host + path,
  )
}
