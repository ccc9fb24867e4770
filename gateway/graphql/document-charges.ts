import { GraphQLError, type ExecutionArgs } from 'graphql'
import type { OperationContext } from '../../schema/define/context.ts'
import { MOST_COMPLEXITY } from '../../schema/graph/builder.ts'
import type { ServiceError } from '../../relayer/service-error.ts'
import { networkOf } from '../limits/network-of.ts'
import type { GraphqlConfig } from './graphql-config.ts'
import { asksForSchema, asksForSchemaOnly, type KeptIntrospections } from './keep-introspections.ts'
import { rateLimitExceeded } from '../../schema/define/errors.ts'

/**
 * Additional points of a document that asks for the schema: complexity does not count the fields below `__schema`.
 */
const INTROSPECTION_POINTS = 15_000
/** Points of the cheapest document: parsing and validating cost CPU time too. */
const LEAST_POINTS = 300
/** Points of a document that does not run: parsing and refusing one takes about 10 ms of CPU. */
const FAILED_POINTS = 4_500
/** How long a network is charged in advance after one of its documents failed: as long as a window of the limits. */
const FAILING_MS = 60_000
const MAX_FAILING = 10_000

/** Charges documents by complexity, and refuses those of a client that has spent its points of the minute. */
export interface DocumentCharges {
  /**
   * Runs before a document is parsed: charges it in advance if documents of the same network failed to run recently.
   * @throws ServiceError `too-many-requests`.
   */
  admit(context: OperationContext): Promise<void>
  /**
   * Charges a document that is about to run.
   * @throws GraphQLError that is answered 429.
   */
  chargeRun(context: OperationContext, args: ExecutionArgs, complexity: number): Promise<void>
  /**
   * Charges a document that did not run, because it did not parse or validate.
   * @throws ServiceError `too-many-requests`.
   */
  chargeFailure(context: OperationContext): Promise<void>
}

/**
 * Points are taken from the network first. When these are used up, they are taken from the account that the token
 * belongs to. All instances share the counters, as for the other limits.
 */
export function createDocumentCharges(
  config: Pick<GraphqlConfig, 'pointsPerMinute' | 'pointsPerMinuteOfNetwork'>,
  introspections: KeptIntrospections,
): DocumentCharges {
  /** Until when each network is charged in advance, sorted by time. */
  const failing = new Map<string, number>()

  async function charge(context: OperationContext, points: number): Promise<ServiceError | null> {
    let quota = await context.limiter.take({
      operation: 'graphqlOfNetwork',
      limit: config.pointsPerMinuteOfNetwork,
      client: context.client,
      points,
    })
    // The token is looked up only if the network has no points left. The points of an account cannot be used up by
    // its neighbours in the network.
    const principal = quota.exceeded ? await context.authenticate() : null
    if (principal)
      quota = await context.limiter.take({
        operation: 'graphql',
        limit: config.pointsPerMinute,
        client: { principal: principal.id },
        points,
      })
    if (!quota.exceeded) return null
    context.onQuota?.(quota)
    return rateLimitExceeded(
      `Rate limit exceeded. Maximum ${quota.limit} points of complexity per 1 minute.`,
      { retryAfterSeconds: quota.resetSeconds },
    )
  }

  function rememberFailure(network: string): void {
    failing.delete(network)
    failing.set(network, Date.now() + FAILING_MS)
    if (failing.size > MAX_FAILING) failing.delete(failing.keys().next().value ?? '')
  }

  return {
    async admit(context) {
      if (failing.size === 0) return
      const until = failing.get(networkOf(context.client.address))
      if (until === undefined || until < Date.now()) return
      const refusal = await charge(context, LEAST_POINTS)
      if (refusal) throw refusal
    },
    async chargeRun(context, args, complexity) {
      const refusal = await charge(context, pointsOf(args, complexity, introspections))
      if (!refusal) return
      const http = { status: 429, headers: { 'retry-after': String(refusal.retryAfterSeconds) } }
      throw new GraphQLError(refusal.message, { originalError: refusal, extensions: { http } })
    },
    async chargeFailure(context) {
      rememberFailure(networkOf(context.client.address))
      const refusal = await charge(context, FAILED_POINTS)
      if (refusal) throw refusal
    },
  }
}

function pointsOf(args: ExecutionArgs, complexity: number, introspections: KeptIntrospections): number {
  if (!asksForSchema(args))
    // A document above the complexity limit is refused before it runs, by another error.
    return Math.min(Math.max(LEAST_POINTS, Math.ceil(complexity)), MOST_COMPLEXITY)
  if (asksForSchemaOnly(args) && introspections.has(args)) return LEAST_POINTS
  return Math.min(Math.max(LEAST_POINTS, Math.ceil(complexity)), MOST_COMPLEXITY) + INTROSPECTION_POINTS
}
