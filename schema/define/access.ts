import type { ServiceError } from '../../relayer/service-error.ts'
import type { Principal, Scope } from '../../relayer/identity/principal.ts'
import type { OperationContext } from './context.ts'
import { unauthorized } from '../../relayer/errors.ts'
import { accountForbidden, scopeMissing } from './errors.ts'
import { takeStream } from './limits.ts'

/** @throws ServiceError `forbidden` when the principal's token lacks the scope. */
export function demandScope(principal: Principal, scope: Scope): void {
  if (!principal.scopes.has(scope)) throw scopeMissing(missingScopeMessage(scope))
}

/** The message for a token without a scope. */
export function missingScopeMessage(scope: Scope): string {
  return `This token may not ${scope}: it lacks the scope`
}

/**
 * Returns the requested accountId, if it is the caller's own. An account that does not exist is refused in the same way
 * as another's, so that a client cannot find out which accounts exist.
 *
 * @param refuse Creates the error otherwise.
 * @throws ServiceError `forbidden`, or the error of `refuse`.
 */
export function demandOwnAccount(
  asked: unknown,
  principal: Principal | null,
  refuse: () => ServiceError = accountForbidden,
): string {
  const own = principal?.accountId
  if (own && typeof asked === 'string' && own === asked.toLowerCase()) return own
  throw refuse()
}

/**
 * The same for a subscription, which has no operation. The subscription ends with the token.
 *
 * @throws ServiceError `unauthorized`, `forbidden` or `too-many-requests`.
 */
export async function demandFollower(
  asked: string,
  context: Pick<
    OperationContext,
    'authenticate' | 'endWithToken' | 'limiter' | 'onQuota' | 'services' | 'signal'
  >,
): Promise<string> {
  const principal = await context.authenticate()
  if (!principal) throw unauthorized()
  demandScope(principal, 'read')
  await takeStream({ principal: principal.id }, context)
  const accountId = demandOwnAccount(asked, principal)
  context.services.accountChanges.admit(accountId, context.signal)
  context.endWithToken?.()
  return accountId
}
