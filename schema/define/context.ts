import type { Principal } from '../../relayer/identity/principal.ts'
import type { KeepAnswer } from '../../relayer/keep-answer.ts'
import type { Services } from '../../relayer/services.ts'
import type { SharedTurns } from '../../relayer/shares/shared-turns.ts'

/** The client whose share of a limit a request uses. */
export type LimitedClient = { principal: string } | { address: string }

/** The rest of an operation's limit for the request's client. */
export interface Quota {
  operation: string
  /** Requests per window. */
  limit: number
  windowSeconds: number
  remaining: number
  /** Seconds until the window ends and the whole limit is available again. */
  resetSeconds: number
  /** Whether this request exceeded the limit. */
  exceeded: boolean
}

/** Counts requests; the gateway chooses the store (memory or Redis). */
export interface RateLimiter {
  /** Counts one request, or a number of points, against a client's `limit` per minute for an operation. */
  take(request: { operation: string; limit: number; client: LimitedClient; points?: number }): Promise<Quota>
}

/** Runs requests with an idempotency key once. */
export interface Idempotency {
  /**
   * The stored answer of an earlier run with the same key and input, or the answer of a run now. Concurrent duplicates
   * wait for the run in progress. Failures are not stored.
   *
   * @param request.input The parsed input: two spellings of one value are equal.
   * @param run May store its answer itself through its argument. Otherwise the answer is stored once the run has ended,
   *   and after a crash in between a repeated request runs again.
   * @throws ServiceError `bad-request` IDEMPOTENCY_KEY_REUSED when the key was used with another input before;
   *   `too-many-requests` IDEMPOTENCY_KEYS_EXHAUSTED for a new key when the account has used too many.
   */
  once(
    request: { accountId: string; operation: string; key: string; input: unknown },
    run: (keep: KeepAnswer<unknown>) => Promise<unknown>,
  ): Promise<unknown>
}

/** Bounds the answers of one request's operations together. */
export interface AnswerRoom {
  /** @throws ServiceError QUERY_TOO_LARGE once it is used up. */
  demand(): void
  /** Counts an answer, in wire form. @throws ServiceError QUERY_TOO_LARGE if it is too large. */
  take(answer: unknown): Promise<void>
}

/** A request that is counted against limits. */
export interface LimitedRequest {
  limiter: RateLimiter
  /** Receives the limits that the request was counted against, for the headers of the answer. */
  onQuota?(quota: Quota): void
}

/** An operation's view of its request, whether by REST or GraphQL. */
export interface OperationContext extends LimitedRequest {
  services: Services
  /** The client's address. For IPv6 it is the /64, in which one subscriber may choose any address. */
  client: { address: string }
  /** The principal of the request's bearer token, looked up once; null without a token and for an invalid one. */
  authenticate(): Promise<Principal | null>
  /** From now on `authenticate` looks the token up again: a mutation of the document may have changed its rights. */
  forgetPrincipal?(): void
  /** Whether the request carries a bearer token, good or not. */
  hasToken: boolean
  /** REST: the header Idempotency-Key. GraphQL: the field's argument idempotencyKey. */
  idempotencyKey: string | null
  idempotency: Idempotency
  /** The header Last-Event-ID: where a stream resumes that a client reconnects. */
  lastEventId?: string | null
  /** Aborted when the client disconnects or the service shuts down. */
  signal: AbortSignal
  /** Limits costly reads: few run at once, in turn of their clients. */
  costly: SharedTurns
  /** GraphQL: a document may run many operations. */
  room?: AnswerRoom
  /**
   * From now on `signal` is also aborted when the request's token becomes invalid; for subscriptions, which last
   * longer.
   */
  endWithToken?(): void
}

/**
 * The context that `invoke` passes to an operation: access was checked, and the path's accountId is the principal's.
 */
export interface RunContext<Answer = never> extends OperationContext {
  principal: Principal | null
  /**
   * Stores the answer under the request's Idempotency-Key; absent without a key. An operation that locks funds calls it last
   * in its transaction.
   */
  keepAnswer?: KeepAnswer<Answer> | undefined
}
