import { invalidRequest, invalidToken } from '../../relayer/identity/errors.ts'

/**
 * The code of an OAuth error. The service's own OAuth errors have one of RFC 6749 or RFC 6750; whatever fails before
 * the operation runs is a malformed request or a bad token.
 */
export function oauthCodeOf(status: 400 | 401, code: string | undefined): string {
  if (code !== undefined && /^[a-z_]+$/.test(code)) return code
  return status === 400 ? invalidRequest.terms.code : invalidToken.terms.code
}
