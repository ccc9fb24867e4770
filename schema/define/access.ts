import type { Principal, Scope } from '../../relayer/identity/principal.ts'
import type { OperationContext } from './context.ts'
import { accountNotFound, unauthorized } from '../../relayer/errors.ts'
import { accountForbidden, scopeMissing } from './errors.ts'

/** @throws ServiceError `forbidden` when the principal's token lacks the scope. */
export function demandScope(principal: Principal, scope: Scope): void {
  if (!principal.scopes.has(scope)) throw scopeMissing(`This token may not ${scope}: it lacks the scope`)
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
  if (!errors.includes(403) && errors.includes(404)) throw accountNotFound()
  throw accountForbidden()
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
