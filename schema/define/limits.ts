import { rateLimitExceeded } from './errors.ts'
import type { LimitedClient, LimitedRequest } from './context.ts'
import type { Operation } from './operation.ts'

/** Default requests of one account per operation and minute: twenty per second. */
const OF_ACCOUNT = 1_200
/** The same for a read whose answer grows with the account's history. */
const COSTLY = 240
/** Streams of all kinds that an account may open per minute. */
const STREAMS = 240
/** Accounts that one network may represent where requests carry no token and count by address. */
const ACCOUNTS_OF_NETWORK = 50

/** Requests per minute and client address without a valid token, to an operation that needs one: guessing tokens is limited. */
export const UNAUTHORIZED_LIMIT = 120

/** Requests per minute and client: the operation's own limit, or the default for its sort. */
export function limitOf({
  limit,
  access,
  isCostly,
}: Pick<Operation, 'access' | 'isCostly'> & { limit?: number | undefined }): number {
  if (limit !== undefined) return limit
  const ofAccount = isCostly ? COSTLY : OF_ACCOUNT
  return access === 'bearer' ? ofAccount : ofAccount * ACCOUNTS_OF_NETWORK
}

/** Counts a stream that is opened. @throws ServiceError `too-many-requests`. */
export async function takeStream(client: LimitedClient, context: LimitedRequest): Promise<void> {
  const limit = STREAMS * ('principal' in client ? 1 : ACCOUNTS_OF_NETWORK)
  await takeFromLimit({ operation: 'stream', limit, client }, context)
}

/** Counts a request. @throws ServiceError `too-many-requests`. */
export async function takeFromLimit(
  request: { operation: string; limit: number; client: LimitedClient },
  context: LimitedRequest,
): Promise<void> {
  const quota = await context.limiter.take(request)
  context.onQuota?.(quota)
  if (!quota.exceeded) return
  throw rateLimitExceeded(`Rate limit exceeded. Maximum ${request.limit} requests per 1 minute.`, {
    retryAfterSeconds: quota.resetSeconds,
  })
}
