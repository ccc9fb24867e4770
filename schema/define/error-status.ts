import type { DefinedError, ErrorKind } from '../../relayer/service-error.ts'
import type { InputShapes } from './operation.ts'
import { invalidRequest, invalidToken } from '../../relayer/identity/errors.ts'

/** The classes of errors that the API answers, by status. */
export const ERROR_CLASSES = {
  400: {
    error: 'Bad request',
    meaning: 'The request is malformed or asks for what cannot be; mend it before trying again.',
  },
  401: { error: 'Unauthorized', meaning: 'A valid bearer token is required.' },
  403: { error: 'Forbidden', meaning: 'The token does not give access to this.' },
  404: { error: 'Not found', meaning: 'There is no such thing.' },
  405: {
    error: 'Method not allowed',
    meaning: 'The path exists, with the methods that the Allow header names.',
  },
  409: { error: 'Conflict', meaning: 'The request conflicts with the present state.' },
  413: { error: 'Payload too large', meaning: 'The body exceeds the limit; the connection stays usable.' },
  415: {
    error: 'Unsupported Media Type',
    meaning: 'Of `/graphql` alone, which takes JSON; elsewhere another content type is a 400.',
  },
  422: { error: 'Unprocessable Entity', meaning: 'The request is well formed and cannot be followed.' },
  429: {
    error: 'Too Many Requests',
    meaning: 'The rate limit is exceeded; Retry-After says for how many seconds.',
  },
  451: { error: 'Unavailable', meaning: 'Not available for legal reasons.' },
  500: {
    error: 'Internal Server Error',
    meaning: 'A fault of the service; the message names the request for its operator.',
  },
  502: { error: 'Bad Gateway', meaning: 'A party behind the service failed.' },
  503: {
    error: 'Service Unavailable',
    meaning: 'The service is busy or catching up; try again after Retry-After seconds.',
  },
} as const satisfies Record<number, { error: string; meaning: string }>

export type ErrorStatus = keyof typeof ERROR_CLASSES

/** The only place that maps a kind of error to a status. */
const STATUS_OF_KIND = {
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  unprocessable: 422,
  'too-many-requests': 429,
  legal: 451,
  'bad-gateway': 502,
  unavailable: 503,
} as const satisfies Record<ErrorKind, ErrorStatus>

/** The status of every error of a kind. */
export function statusOfKind(kind: ErrorKind): ErrorStatus {
  return STATUS_OF_KIND[kind]
}

/** The code of an error without a code of its own, such as `INTERNAL_SERVER_ERROR`: GraphQL shows no status. */
export const codeOfStatus = (status: ErrorStatus): string =>
  ERROR_CLASSES[status].error.toUpperCase().replaceAll(' ', '_')

/** True if an error concerns a member of the path; the answer then is that nothing exists at that path. */
export function isAboutPath({ terms }: DefinedError, { path }: InputShapes): boolean {
  return terms.about !== undefined && path !== undefined && terms.about in path.shape
}

/**
 * The code of an OAuth error. The service's own OAuth errors have a code of RFC 6749 or RFC 6750; a failure before
 * the operation runs means a malformed request or an invalid token.
 */
export function oauthCodeOf(status: 400 | 401, code: string | undefined): string {
  if (code !== undefined && /^[a-z_]+$/.test(code)) return code
  return status === 400 ? invalidRequest.terms.code : invalidToken.terms.code
}
