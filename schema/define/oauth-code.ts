import { invalidRequest, invalidToken } from '../../relayer/identity/errors.ts'

/**
 * The code of an OAuth error. The service's own OAuth errors have a code of RFC 6749 or RFC 6750; a failure before
 * the operation runs means a malformed request or an invalid token.
 */
export function oauthCodeOf(status: 400 | 401, code: string | undefined): string {
  if (code !== undefined && /^[a-z_]+$/.test(code)) return code
  return status === 400 ? invalidRequest.terms.code : invalidToken.terms.code
}
