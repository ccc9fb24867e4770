/** The part of a pino logger that the pool uses. */
export interface ProvingLogger {
  warn(context: object, message: string): void
  error(context: object, message: string): void
}

export const silentLogger: ProvingLogger = { warn() {}, error() {} }
