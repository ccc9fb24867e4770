import type { Principal, Scope } from '../../relayer/identity/principal.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import type { OperationContext } from './context.ts'

/** @throws ServiceError `forbidden` when the principal's token lacks the scope. */
export function demandScope(principal: Principal, scope: Scope): void {
  if (!principal.scopes.has(scope))
    throw new ServiceError('forbidden', `This token may not ${scope}: it lacks the scope`)
}

/** What a request without a good token is told where one is needed. */
export function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', 'A valid bearer token is required', { code: 'UNAUTHORIZED' })
}

/**
 * The accountId that was asked for, once it is known to be the caller's own. An account that does not exist is refused
 * as another's is, so that nobody learns which exist.
 *
 * @param errors Statuses that the contract of what was asked for knows: 404 where it has no 403.
 * @throws ServiceError `forbidden`, or `not-found`.
 */
export function demandOwnAccount(
  asked: unknown,
  principal: Principal | null,
  errors: readonly number[] = [403],
): string {
  const own = principal?.accountId
  if (own && typeof asked === 'string' && own === asked.toLowerCase()) return own
  if (!errors.includes(403) && errors.includes(404))
    throw new ServiceError('not-found', 'There is no such account')
  throw new ServiceError('forbidden', 'This token does not give access to that account')
}

/**
 * The same for a subscription, which no operation stands behind. It ends with the token.
 *
 * @throws ServiceError `unauthorized`, `forbidden` or `too-many-requests`.
 */
export async function demandFollower(
  asked: string,
  context: Pick<OperationContext, 'authenticate' | 'endWithToken' | 'services' | 'signal'>,
): Promise<string> {
  const principal = await context.authenticate()
  if (!principal) throw unauthorized()
  demandScope(principal, 'read')
  const accountId = demandOwnAccount(asked, principal)
  context.services.accountChanges.admit(accountId, context.signal)
  context.endWithToken?.()
  return accountId
}
