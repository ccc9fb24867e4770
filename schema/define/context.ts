import type { Principal } from '../../relayer/identity/principal.ts'
import type { Services } from '../../relayer/services.ts'

/** Whose share of a limit a request takes from. */
export type LimitedClient = { principal: string } | { address: string }

/** What a request's client has left of an operation's limit. */
export interface Quota {
  operation: string
  /** Requests per window. */
  limit: number
  windowSeconds: number
  remaining: number
  /** Until the window ends and all is free again. */
  resetSeconds: number
  /** This request was one too many. */
  exceeded: boolean
}

/** Counts requests; the gateway decides where (memory, Redis). */
export interface RateLimiter {
  /** Takes one request, or so many points, of `limit` per minute from a client's share of an operation. */
  take(request: { operation: string; limit: number; client: LimitedClient; points?: number }): Promise<Quota>
}

/** Runs what was asked for under an idempotency key once. */
export interface Idempotency {
  /**
   * The stored answer of an earlier run with the same key and input, or that of a run now. Concurrent duplicates wait for
   * the one that runs. Failures are not stored.
   *
   * @param request.input As parsed: two ways of writing the same are the same.
   * @throws ServiceError `bad-request` IDEMPOTENCY_KEY_REUSED when the key came with another input before,
   * `too-many-requests` IDEMPOTENCY_KEYS_EXHAUSTED for a new key when the account has used too many.
   */
  once(
    request: { accountId: string; operation: string; key: string; input: unknown },
    run: () => Promise<unknown>,
  ): Promise<unknown>
}

/** All that an operation may know of the request it answers, whether it came by REST or GraphQL. */
export interface OperationContext {
  services: Services
  /** Where it came from; of an IPv6 address the /64, which one subscriber numbers as it likes. */
  client: { address: string }
  /** Who the request's bearer token speaks for, looked up once; null without a token and for a bad one. */
  authenticate(): Promise<Principal | null>
  /** By REST the header Idempotency-Key, by GraphQL the field's argument idempotencyKey. */
  idempotencyKey: string | null
  idempotency: Idempotency
  /** Aborted when the client has gone or the service shuts down. */
  signal: AbortSignal
  limiter: RateLimiter
  /** From now on `signal` is aborted when the request's token is not good any more: for subscriptions, which last. */
  endWithToken?(): void
  /** Is told of the limits that the request has taken from, for the headers of the answer. */
  onQuota?(quota: Quota): void
}

/** What `invoke` hands to an operation: access has been checked, the path's accountId is the principal's. */
export interface RunContext extends OperationContext {
  principal: Principal | null
}
