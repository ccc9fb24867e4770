import { getOperationAST, type ExecutionArgs, type ExecutionResult } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import type { OperationContext } from '../../schema/define/context.ts'
import { MOST_COMPLEXITY } from '../../schema/graph/builder.ts'
import type { ServiceError } from '../../relayer/service-error.ts'
import { networkOf } from '../limits/create-rate-limiter.ts'
import { checkDocumentCost, measureOperation, type DocumentCost } from './measure-operation.ts'
import { resultOfError } from './result-of-error.ts'
import { asksForSchema, type KeptIntrospections } from './keep-introspections.ts'
import { rateLimitExceeded } from '../../schema/define/errors.ts'

/**
 * Additional points of a document that asks for the schema: complexity does not count the fields below `__schema`.
 */
const INTROSPECTION_POINTS = 15_000
/** Points of the cheapest document: parsing and validating cost CPU time too. */
const LEAST_POINTS = 300
/** Points of a document that does not run: parsing and refusing one takes about 10 ms of CPU. */
const FAILED_POINTS = 4_500
/** Points of an event of a subscription up to which it costs nothing: as many as an event with the things it is about. */
const FREE_EVENT_POINTS = 5_000
/** Time for which a network is charged in advance after one of its documents failed: one window of the limits. */
const FAILING_MS = 60_000
const MAX_FAILING = 10_000

/** State of a request's payment for its document; one object per request. */
export interface DocumentCharge {
  isPaid: boolean
  /** True if the client asks what its document costs. */
  isAsked?: boolean
  /** Its price; undefined until the document is about to run. */
  cost?: DocumentPrice
  /** Charges an event of a costly subscription like a document. @returns False when the points are spent. */
  chargeEvent?(): Promise<boolean>
}

/** Cost of a document, as `extensions.cost` of its result shows it to a client that asks by `extensions.cost: true`. */
interface DocumentPrice extends DocumentCost {
  /** Points that were charged. */
  points: number
  /** Points per minute, and those that are left of it; undefined where nothing was charged. */
  limit?: number
  remaining?: number
  resetSeconds?: number
}

/** The context of a request whose document is charged. */
export interface ChargedContext extends OperationContext {
  documentCharge: DocumentCharge
}

/**
 * Charges documents by complexity, and refuses those of a client that has spent its points of the minute. A document is
 * charged when it is about to run, or when it failed before, because it did not parse or validate. A network whose
 * documents failed recently is charged before they are parsed.
 *
 * Points are taken from the network first. When these are used up, they are taken from the account that the token
 * belongs to. All instances share the counters, as for the other limits.
 */
export function chargeDocuments(
  config: { pointsPerMinute: number; pointsPerMinuteOfNetwork: number; introspection: boolean },
  introspections: KeptIntrospections,
): Plugin<object, ChargedContext> {
  /** Networks that are charged in advance. */
  const failing = new LRUCache<string, true>({ max: MAX_FAILING, ttl: FAILING_MS })

  async function charge(context: ChargedContext, points: number): Promise<ServiceError | null> {
    const { documentCharge } = context
    documentCharge.isPaid = true
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
    const { limit, remaining, resetSeconds } = quota
    if (documentCharge.cost) Object.assign(documentCharge.cost, { limit, remaining, resetSeconds })
    if (!quota.exceeded) return null
    context.onQuota?.(quota)
    return rateLimitExceeded(
      `Rate limit exceeded. Maximum ${quota.limit} points of complexity per 1 minute.`,
      { retryAfterSeconds: quota.resetSeconds },
    )
  }

  async function chargeRun(args: ExecutionArgs): Promise<ExecutionResult | null> {
    const operation = getOperationAST(args.document, args.operationName)
    const cost = operation && measureOperation(args, operation, !config.introspection)
    const points = cost ? pointsOf(args, cost.complexity, introspections) : LEAST_POINTS
    const context = args.contextValue as ChargedContext
    if (cost) context.documentCharge.cost = { points, ...cost }
    const refusal = await charge(context, points)
    if (refusal) return resultOfRefusal(refusal)
    try {
      if (cost) checkDocumentCost(cost)
      return null
    } catch (error) {
      return resultOfError(error)
    }
  }

  return {
    async onParams({ context, params }) {
      context.documentCharge.isAsked = params.extensions?.['cost'] === true
      if (!failing.has(networkOf(context.client.address))) return
      const refusal = await charge(context, LEAST_POINTS)
      context.documentCharge.isPaid = refusal !== null
      if (refusal) throw resultOfRefusal(refusal).errors?.[0]
    },
    async onExecute({ args, setResultAndStopExecution }) {
      const refused = await chargeRun(args)
      if (refused) setResultAndStopExecution(refused)
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      const refused = await chargeRun(args)
      if (refused) setResultAndStopExecution(refused)
      const context = args.contextValue as unknown as ChargedContext
      const { points } = context.documentCharge.cost ?? { points: 0 }
      if (points <= FREE_EVENT_POINTS) return
      context.documentCharge.chargeEvent = async () => (await charge(context, points)) === null
    },
    async onResultProcess({ result, setResult, serverContext }) {
      const { isPaid, isAsked, cost } = serverContext.documentCharge
      if (isAsked && cost && !Array.isArray(result) && !isAsyncIterable(result))
        setResult({ ...result, extensions: { ...(result as ExecutionResult).extensions, cost } })
      if (isPaid) return
      // A plugin may answer a document from a cache.
      const hasRun = !('errors' in result)
      if (!hasRun) failing.set(networkOf(serverContext.client.address), true)
      const refusal = await charge(serverContext, hasRun ? LEAST_POINTS : FAILED_POINTS)
      if (refusal) setResult(resultOfRefusal(refusal))
    },
  }
}

const resultOfRefusal = (refusal: ServiceError): ExecutionResult =>
  resultOfError(refusal, {
    http: { status: 429, headers: { 'retry-after': String(refusal.retryAfterSeconds) } },
  })

function pointsOf(args: ExecutionArgs, complexity: number, introspections: KeptIntrospections): number {
  const asksSchema = asksForSchema(args)
  if (asksSchema && introspections.has(args)) return LEAST_POINTS
  // A document above the complexity limit is refused before it runs, by another error.
  const counted = Math.min(Math.max(LEAST_POINTS, Math.ceil(complexity)), MOST_COMPLEXITY)
  return asksSchema ? counted + INTROSPECTION_POINTS : counted
}
