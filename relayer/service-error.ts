/** What went wrong, in the service's own terms; the gateway alone turns a kind into a status. */
export type ServiceErrorKind =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'unprocessable'
  | 'too-many-requests'
  | 'legal'
  | 'bad-gateway'
  | 'unavailable'

/**
 * An error that a client is meant to read. Anything else that is thrown is masked as an internal error and logged whole.
 *
 * `details` are the extra members of the error body; `retryable` says whether the same request may
 * succeed later without being changed. What is unavailable without a code of its own is SERVER_BUSY.
 */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly kind: ServiceErrorKind
  readonly code: string | undefined
  readonly retryable: boolean
  /** When to try again, where that is known. */
  readonly retryAfterSeconds: number | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    kind: ServiceErrorKind,
    message: string,
    options: {
      code?: string
      retryable?: boolean
      retryAfterSeconds?: number
      details?: Record<string, unknown>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.code = options.code ?? (kind === 'unavailable' ? 'SERVER_BUSY' : undefined)
    this.retryable = options.retryable ?? kind === 'unavailable'
    this.retryAfterSeconds = options.retryAfterSeconds
    this.details = options.details ?? {}
  }
}
