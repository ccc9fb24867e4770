/** The part of a pino logger that the pool uses. */
export interface ProvingLogger {
  warn(context: object, message: string): void
  error(context: object, message: string): void
}

/** Discards every message: the default where a caller passes no logger. */
export const silentLogger: ProvingLogger = { warn() {}, error() {} }
