import { getOperationAST, GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { OperationContext } from '../../schema/define/context.ts'
import { MOST_COMPLEXITY } from '../../schema/graph/builder.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import { networkOf } from '../limits/create-rate-limiter.ts'
import { createDocumentCosts, checkDocumentCost } from './document-costs.ts'
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
/** Time for which a network is charged in advance after one of its documents failed: one window of the limits. */
const FAILING_MS = 60_000
const MAX_FAILING = 10_000

/** State of a request's payment for its document; one object per request. */
export interface DocumentCharge {
  isPaid: boolean
}

/** The context of a request whose document is charged. */
export interface ChargedContext extends OperationContext {
  documentCharge: DocumentCharge
}

/** Charges documents by complexity, and refuses those of a client that has spent its points of the minute. */
export interface DocumentCharges {
  /** Charges a document when it is about to run. */
  plugin: Plugin<object, ChargedContext>
  /**
   * Runs before a document is parsed: charges it in advance if documents of the same network failed to run recently.
   * @throws ServiceError `too-many-requests`.
   */
  admit(context: ChargedContext): Promise<void>
  /**
   * Runs after the answer: charges a document that never ran, because it did not parse or validate.
   * @throws ServiceError `too-many-requests`.
   */
  settle(context: ChargedContext): Promise<void>
}

/**
 * Points are taken from the network first. When these are used up, they are taken from the account that the token
 * belongs to. All instances share the counters, as for the other limits.
 */
export function createDocumentCharges(
  config: Pick<GraphqlConfig, 'pointsPerMinute' | 'pointsPerMinuteOfNetwork'>,
  introspections: KeptIntrospections,
): DocumentCharges {
  const costOf = createDocumentCosts()
  /** End of each network's charging in advance, sorted by time. */
  const failing = new Map<string, number>()

  async function charge(context: ChargedContext, points: number): Promise<ServiceError | null> {
    context.documentCharge.isPaid = true
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

  async function chargeRun(args: ExecutionArgs): Promise<ExecutionResult | null> {
    const operation = getOperationAST(args.document, args.operationName)
    const cost = operation && costOf(args, operation)
    const points = cost ? pointsOf(args, cost.complexity, introspections) : LEAST_POINTS
    const refusal = await charge(args.contextValue as ChargedContext, points)
    if (!refusal) return cost ? refuseLarge(() => checkDocumentCost(cost)) : null
    const http = { status: 429, headers: { 'retry-after': String(refusal.retryAfterSeconds) } }
    return { errors: [new GraphQLError(refusal.message, { originalError: refusal, extensions: { http } })] }
  }

  function rememberFailure(network: string): void {
    failing.delete(network)
    failing.set(network, Date.now() + FAILING_MS)
    if (failing.size > MAX_FAILING) failing.delete(failing.keys().next().value ?? '')
  }

  return {
    plugin: {
      async onExecute({ args, setResultAndStopExecution }) {
        const refused = await chargeRun(args)
        if (refused) setResultAndStopExecution(refused)
      },
      async onSubscribe({ args, setResultAndStopExecution }) {
        const refused = await chargeRun(args)
        if (refused) setResultAndStopExecution(refused)
      },
    },
    async admit(context) {
      const until = failing.get(networkOf(context.client.address))
      if (until === undefined || until < Date.now()) return
      const refusal = await charge(context, LEAST_POINTS)
      context.documentCharge.isPaid = false
      if (refusal) throw refusal
    },
    async settle(context) {
      if (context.documentCharge.isPaid) return
      rememberFailure(networkOf(context.client.address))
      const refusal = await charge(context, FAILED_POINTS)
      if (refusal) throw refusal
    },
  }
}

/** The refusal as a result: the operation does not run. */
function refuseLarge(demand: () => void): ExecutionResult | null {
  try {
    demand()
    return null
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { errors: [new GraphQLError(error.message, { originalError: error })] }
  }
}

function pointsOf(args: ExecutionArgs, complexity: number, introspections: KeptIntrospections): number {
  const asksSchema = asksForSchema(args)
  if (asksSchema && asksForSchemaOnly(args) && introspections.has(args)) return LEAST_POINTS
  // A document above the complexity limit is refused before it runs, by another error.
  const counted = Math.min(Math.max(LEAST_POINTS, Math.ceil(complexity)), MOST_COMPLEXITY)
  return asksSchema ? counted + INTROSPECTION_POINTS : counted
}
