import type { ServiceError } from '../../relayer/service-error.ts'
import { forClient, type Client } from '../../relayer/shares/client.ts'
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

type FollowerContext = Pick<
  OperationContext,
  'authenticate' | 'client' | 'endWithToken' | 'limiter' | 'onQuota' | 'services' | 'signal'
>

/**
 * Follows an account for a subscription, which has no operation. The subscription ends with the token. Its reads draw on the
 * client's share, as requests do.
 *
 * @param asked The requested accountId, which has to be the caller's own; null for the caller's.
 * @throws ServiceError `unauthorized`, `forbidden` or `too-many-requests`.
 */
export async function followAccount<Event>(
  asked: string | null,
  context: FollowerContext,
  follow: (accountId: string) => AsyncIterable<Event>,
): Promise<AsyncGenerator<Event>> {
  const principal = await context.authenticate()
  if (!principal) throw unauthorized()
  demandScope(principal, 'read')
  await takeStream({ principal: principal.id }, context)
  const accountId = demandOwnAccount(asked ?? principal.accountId, principal)
  context.services.accountChanges.admit(accountId, context.signal)
  context.endWithToken?.()
  const client = { network: context.client.address, account: principal.id }
  return readAs(client, accountId, follow(accountId))
}

/** Each event is read when it is asked for: in the client's name, whoever asks. */
async function* readAs<Event>(
  client: Client,
  accountId: string,
  events: AsyncIterable<Event>,
): AsyncGenerator<Event> {
  const iterator = events[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await forClient(client, () => iterator.next(), accountId)
      if (next.done) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}
