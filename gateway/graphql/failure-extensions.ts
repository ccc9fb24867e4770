import type { Failure } from '../errors.ts'

/** The members of the REST error body except the message, for an error of GraphQL. */
export function extensionsOf({ error, status, code, details, headers }: Failure): Record<string, unknown> {
  return {
    error,
    status,
    ...(code !== undefined && { code }),
    ...details,
    // An answer may hold several errors, so this cannot be a header.
    ...(status === 429 && { retryAfter: Number(headers['retry-after']) }),
  }
}
