import { complexityFromQuery } from '@pothos/plugin-complexity'
import { GraphQLError, Kind, type DocumentNode, type ExecutionArgs, type ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { OperationContext } from '../../schema/define/context.ts'
import { MOST_COMPLEXITY } from '../../schema/graph/builder.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import type { GraphqlConfig } from './graphql-config.ts'
import { asksForSchema, asksForSchemaOnly, type KeptIntrospections } from './keep-introspections.ts'

/** Points of a document that asks for the schema, besides all else: complexity does not count what is below that. */
const INTROSPECTION_POINTS = 15_000
/** No document is free: parsing and validating one costs, too. */
const LEAST_POINTS = 300

/**
 * Counts what documents cost, by the complexity of the operation that is run, and refuses those of a client that has
 * spent its points of the minute: 429 with Retry-After. They are its network's, and when these are spent, those of the
 * account that its token is of. The counters are those of the other limits, so that all instances count together.
 */
export function chargeDocuments(
  config: Pick<GraphqlConfig, 'pointsPerMinute' | 'pointsPerMinuteOfNetwork'>,
  introspections: KeptIntrospections,
): Plugin<object, OperationContext> {
  async function charge(args: ExecutionArgs): Promise<ExecutionResult | null> {
    const context = args.contextValue as OperationContext
    const points = pointsOf(args, introspections)
    let quota = await context.limiter.take({
      operation: 'graphqlOfNetwork',
      limit: config.pointsPerMinuteOfNetwork,
      client: context.client,
      points,
    })
    // Most documents cost no look at their token, and no neighbour can spend what an account has.
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
    const refusal = new ServiceError(
      'too-many-requests',
      `Rate limit exceeded. Maximum ${quota.limit} points of complexity per 1 minute.`,
      { retryable: true, retryAfterSeconds: quota.resetSeconds },
    )
    const http = { status: 429, headers: { 'retry-after': String(quota.resetSeconds) } }
    return { errors: [new GraphQLError(refusal.message, { originalError: refusal, extensions: { http } })] }
  }

  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const refused = await charge(args)
      if (refused) setResultAndStopExecution(refused)
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      const refused = await charge(args)
      if (refused) setResultAndStopExecution(refused)
    },
  }
}

function pointsOf(args: ExecutionArgs, introspections: KeptIntrospections): number {
  const operation = operationOf(args)
  if (!operation) return LEAST_POINTS
  if (asksForSchemaOnly(args) && introspections.has(args)) return LEAST_POINTS
  const { complexity } = complexityFromQuery(
    { kind: Kind.DOCUMENT, definitions: [operation, ...fragmentsOf(args.document)] },
    {
      schema: args.schema,
      ctx: args.contextValue as object,
      variables: { ...args.variableValues },
    },
  )
  // What is more complex is refused before it runs, with words of its own.
  const counted = Math.min(Math.max(LEAST_POINTS, Math.ceil(complexity)), MOST_COMPLEXITY)
  return asksForSchema(args) ? counted + INTROSPECTION_POINTS : counted
}

function operationOf({ document, operationName }: ExecutionArgs) {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  return operationName ? operations.find(({ name }) => name?.value === operationName) : operations[0]
}

const fragmentsOf = (document: DocumentNode) =>
  document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
