import { isDatabaseLost, isDiskFull } from '../db/database-faults.ts'
import { databaseDown } from '../relayer/errors.ts'
import { ServiceError } from '../relayer/service-error.ts'
import { ERROR_CLASSES, statusOfKind, type ErrorStatus, oauthCodeOf } from '../schema/define/error-status.ts'
import type { Logger } from './logging.ts'

/** An error of HTTP itself, which the layers below do not know. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: ErrorStatus
  readonly headers: Readonly<Record<string, string>>
  readonly code: string | undefined

  constructor(
    status: ErrorStatus,
    message: string,
    options: { headers?: Record<string, string>; code?: string } = {},
  ) {
    super(message)
    this.status = status
    this.headers = options.headers ?? {}
    this.code = options.code
  }
}

/** A failure as the client sees it, before it is formatted as REST, OAuth or GraphQL. */
export interface Failure {
  status: ErrorStatus
  error: string
  message: string
  code: string | undefined
  /** Further members of the body. */
  details: Readonly<Record<string, unknown>>
  headers: Readonly<Record<string, string>>
}

/**
 * Describes a thrown value for the client. Errors that are not meant for clients are masked, and logged completely
 * under the request id that the client gets.
 */
export function describeFailure(given: unknown, request: { id: string; logger: Logger }): Failure {
  // An alarm stands meanwhile; the error of each request would say nothing new.
  const thrown = isDatabaseLost(given) || isDiskFull(given) ? databaseDown({ cause: given }) : given
  if (thrown instanceof ServiceError) {
    const status = statusOfKind(thrown.kind)
    return {
      status,
      error: ERROR_CLASSES[status].error,
      message: thrown.message,
      code: thrown.code,
      details: toWire(thrown.details) as Record<string, unknown>,
      headers: headersOf(status, thrown),
    }
  }
  if (thrown instanceof HttpError) {
    const { status, message, code, headers } = thrown
    return { status, error: ERROR_CLASSES[status].error, message, code, details: {}, headers }
  }
  request.logger.error({ err: thrown, requestId: request.id }, 'a request failed unexpectedly')
  return {
    status: 500,
    error: ERROR_CLASSES[500].error,
    message: `The service failed; its operator finds out more under request id ${request.id}`,
    code: undefined,
    details: {},
    headers: {},
  }
}

/** Amounts are decimal strings on the wire. */
function toWire(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(toWire)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toWire(member)]))
}

/** The error body of the API, or that of OAuth, which has two statuses only. */
export function failureBody(failure: Failure, shape?: 'oauth'): Record<string, unknown> {
  const { status, error, message, code, details } = failure
  if (shape === 'oauth' && (status === 400 || status === 401))
    return { error: oauthCodeOf(status, code), error_description: message }
  return { error, message, ...(code !== undefined && { code }), ...details }
}

/** Few 503 errors say when to retry; a busy queue is empty after about a second. */
function headersOf(status: ErrorStatus, { retryAfterSeconds }: ServiceError): Record<string, string> {
  const seconds = retryAfterSeconds ?? (status === 503 ? 1 : undefined)
  return {
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  }
}
