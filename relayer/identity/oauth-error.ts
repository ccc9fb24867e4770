import { ServiceError } from '../service-error.ts'

type OauthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'

/** A refusal in the words of RFC 6749 (5.2): who is not known as a client gets 401, all else 400. */
export function oauthError(code: OauthCode, message: string): ServiceError {
  return new ServiceError(code === 'invalid_client' ? 'unauthorized' : 'bad-request', message, { code })
}
