import type { Services } from '../relayer/services.ts'

/** Who a bearer token speaks for. */
export interface Principal {
  authAddress: string
}

/** Counts requests; the gateway decides where (memory, Redis). */
export interface RateLimiter {
  /**
   * Takes one request of `limit` per minute from a client's share of an operation.
   *
   * @throws ServiceError `too-many-requests` when none is left.
   */
  take(request: { operation: string; limit: number; clientAddress: string }): Promise<void>
}

/** All that an operation may know of the request it answers, whether it came by REST or GraphQL. */
export interface OperationContext {
  services: Services
  client: { address: string }
  principal: Principal | null
  /** Aborted when the client has gone or the service shuts down. */
  signal: AbortSignal
  limiter: RateLimiter
}
