import type { Principal } from '../relayer/identity/principal.ts'
import type { Services } from '../relayer/services.ts'

/** Counts requests; the gateway decides where (memory, Redis). */
export interface RateLimiter {
  /**
   * Takes one request of `limit` per minute from a client's share of an operation.
   *
   * @param request.client The principal's id where there is one, else the client's address.
   * @throws ServiceError `too-many-requests` when none is left.
   */
  take(request: { operation: string; limit: number; client: string }): Promise<void>
}

/** Runs what was asked for under an idempotency key once (api.md 8). */
export interface Idempotency {
  /**
   * The stored answer of an earlier run with the same key and input, or that of a run now. Concurrent duplicates wait for
   * the one that runs. Failures are not stored.
   *
   * @throws ServiceError `bad-request` IDEMPOTENCY_KEY_REUSED when the key came with another input before.
   */
  once(
    request: { accountId: string; operation: string; key: string; input: unknown },
    run: () => Promise<unknown>,
  ): Promise<unknown>
}

/** All that an operation may know of the request it answers, whether it came by REST or GraphQL. */
export interface OperationContext {
  services: Services
  client: { address: string }
  /** Who the request's bearer token speaks for, looked up once; null without a token and for a bad one. */
  authenticate(): Promise<Principal | null>
  /** The Idempotency-Key header, or by GraphQL the argument idempotencyKey. */
  idempotencyKey: string | null
  idempotency: Idempotency
  /** Aborted when the client has gone or the service shuts down. */
  signal: AbortSignal
  limiter: RateLimiter
}

/** What `invoke` hands to an operation: access has been checked, the path's accountId is the principal's. */
export interface RunContext extends OperationContext {
  principal: Principal | null
}
