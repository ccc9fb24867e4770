import { codeOfStatus } from '../../schema/define/error-status.ts'
import type { Failure } from '../errors.ts'

/** The members of the REST error body except the message, for an error of GraphQL. */
export function extensionsOf({ error, status, code, details, headers }: Failure): Record<string, unknown> {
  return {
    error,
    status,
    code: code ?? codeOfStatus(status),
    ...details,
    // An answer may hold several errors, so this cannot be a header.
    ...(status === 429 && { retryAfter: Number(headers['retry-after']) }),
  }
}

/**
 * The message with the names that GraphQL has for members of a request: those of the body are in the argument `input`,
 * those of path and query are arguments themselves.
 */
export const nameArguments = (message: string): string =>
  message.replaceAll(/\bbody(?=[.:[])/g, 'input').replaceAll(/\b(?:path|query)\.(?=[a-z])/gi, '')
