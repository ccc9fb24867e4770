import type { Principal } from '../../relayer/identity/principal.ts'
import type { Services } from '../../relayer/services.ts'
import type { SharedTurns } from '../../relayer/shares/shared-turns.ts'
import type { Idempotency, OperationContext, Quota, RateLimiter } from '../../schema/define/context.ts'
import { takeFromLimit, takeStream, UNAUTHORIZED_LIMIT } from '../../schema/define/limits.ts'
import { rateLimitHeaders, networkOf } from '../limits/create-rate-limiter.ts'
import type { HttpRequest } from '../route/route.ts'

export interface OperationNeeds {
  services: Services
  limiter: RateLimiter
  idempotency: Idempotency
  costly: SharedTurns
}

/**
 * Creates an operation's view of an HTTP request. The token is looked up when an operation first needs it.
 *
 * @param signal Ends running work; by default when the client disconnects.
 */
export function createOperationContext(
  request: HttpRequest,
  { services, limiter, idempotency, costly }: OperationNeeds,
  signal = request.signal,
): OperationContext {
  let principal: Promise<Principal | null> | undefined
  let quotas: Map<string, Quota> | undefined
  return {
    services,
    client: { address: networkOf(request.clientAddress) },
    authenticate: () => (principal ??= lookUp(request, services)),
    forgetPrincipal: () => (principal = undefined),
    hasToken: readBearer(request.headers.authorization) !== null,
    idempotencyKey: readHeader(request, 'idempotency-key'),
    lastEventId: readHeader(request, 'last-event-id'),
    idempotency,
    signal,
    limiter,
    costly,
    onQuota(quota) {
      quotas ??= new Map()
      quotas.set(quota.operation, quota)
      const headers = rateLimitHeaders(quotas.values())
      request.setHeader('ratelimit', headers.ratelimit)
      request.setHeader('ratelimit-policy', headers['ratelimit-policy'])
    },
  }
}

/** Returns the principal of the request's token at this moment. */
export async function lookUp(request: HttpRequest, services: Services): Promise<Principal | null> {
  const token = readBearer(request.headers.authorization)
  return token === null ? null : services.identity.authenticate(token)
}

/**
 * Identifies the holder of the token that opens a stream; null without a valid one. Both count: guesses at tokens by
 * their address.
 *
 * @throws ServiceError `too-many-requests`.
 */
export async function findStreamOwner(context: OperationContext): Promise<string | null> {
  const principal = await context.authenticate()
  if (principal) await takeStream({ principal: principal.id }, context)
  else
    await takeFromLimit(
      { operation: 'streamOfStranger', limit: UNAUTHORIZED_LIMIT, client: context.client },
      context,
    )
  return principal?.id ?? null
}

function readHeader(request: HttpRequest, name: string): string | null {
  const header = request.headers[name]
  return header === undefined ? null : String(header)
}

/** Longer tokens are not from this service. */
const MOST = 4_096

/** The token of an Authorization header (RFC 6750); null without one, and for any other content. */
export function readBearer(header: string | undefined): string | null {
  if (header === undefined || header.length > MOST) return null
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1] ?? null
}
