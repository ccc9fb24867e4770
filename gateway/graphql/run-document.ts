import {
  createSourceEventStream,
  execute,
  executeSubscriptionEvent,
  getOperationAST,
  validateSubscriptionArgs,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type ValidatedSubscriptionArgs,
} from 'graphql'
import type { OperationContext } from '../../schema/define/context.ts'
import type { DocumentCharges } from './document-charges.ts'
import { createDocumentCosts, demandAffordable } from './document-costs.ts'
import { demandDocument, refuseRequest, type GraphParameters } from './graph-parameters.ts'
import { createDocumentGuard, type GuardedDocument } from './guard-documents.ts'
import type { KeptIntrospections } from './keep-introspections.ts'
import { keepNewest } from './keep-newest.ts'

/** How many parsed documents are cached: clients send the same few repeatedly. */
const KEPT_DOCUMENTS = 200
/** Characters of all cached documents together: a parsed document takes about 200 bytes per character. */
const KEPT_CHARACTERS = 100_000

/** A document that may run, with what it runs with. */
export interface PreparedDocument {
  args: ExecutionArgs
  isSubscription: boolean
  complexity: number
  /** Throws what is answered in place of running it. */
  demandAffordable(): void
}

/** What a subscription yields, and how an event becomes a result. */
export interface Subscription {
  events: AsyncIterable<unknown>
  args: ValidatedSubscriptionArgs
}

/** Runs documents. */
export interface DocumentRunner {
  /**
   * Parses and validates what a request asks for.
   *
   * @throws GraphQLError, or returns the errors of the document.
   */
  prepare(method: string, parameters: GraphParameters): PreparedDocument | { errors: readonly GraphQLError[] }
  /** @throws GraphQLError, ServiceError for what is refused before it runs. The text is the answer, where it is known. */
  run(prepared: PreparedDocument, context: OperationContext): Promise<ExecutionResult | string>
  /** The same for a subscription, which begins; or why it does not. */
  subscribe(prepared: PreparedDocument, context: OperationContext): Promise<Subscription | ExecutionResult>
}

/** What documents are run with. */
export interface RunnerParts {
  schema: GraphQLSchema
  introspection: boolean
  charges: DocumentCharges
  introspections: KeptIntrospections
}

/** Creates what runs documents. Parsing, validating and measuring one is done once, as long as it is among the newest. */
export function createDocumentRunner(parts: RunnerParts): DocumentRunner {
  const { schema, introspection, charges, introspections } = parts
  const guard = createDocumentGuard(schema, { introspection })
  const costOf = createDocumentCosts(schema)
  const good = keepNewest<GuardedDocument>(KEPT_DOCUMENTS, KEPT_CHARACTERS)
  const faulty = keepNewest<GuardedDocument>(KEPT_DOCUMENTS, KEPT_CHARACTERS)

  function look(text: string): GuardedDocument {
    const known = good.get(text) ?? faulty.get(text)
    if (known) return known
    const looked = guard(text)
    if (looked.errors) faulty.set(text, looked)
    else good.set(text, looked)
    return looked
  }

  async function admit(prepared: PreparedDocument, context: OperationContext): Promise<ExecutionArgs> {
    const args = { ...prepared.args, contextValue: context }
    await charges.chargeRun(context, args, prepared.complexity)
    prepared.demandAffordable()
    return args
  }

  return {
    prepare(method, parameters) {
      const { query, variables } = demandDocument(parameters)
      const looked = look(query)
      if (looked.errors) return looked
      const { document } = looked
      const operationName = parameters.operationName ?? undefined
      const operation = getOperationAST(document, operationName)
      if (!operation)
        throw refuseRequest(
          'Could not determine what operation to execute.',
          { status: 400 },
          'OPERATION_RESOLUTION_FAILURE',
        )
      if (operation.operation === 'mutation' && method !== 'POST')
        throw refuseRequest('Can only perform a mutation operation from a POST request.', {
          status: 405,
          headers: { allow: 'POST' },
        })
      const cost = costOf(document, operation, variables)
      return {
        args: { schema, document, operationName, variableValues: variables, hideSuggestions: !introspection },
        isSubscription: operation.operation === 'subscription',
        complexity: cost.complexity,
        demandAffordable: () => demandAffordable(cost),
      }
    },
    async run(prepared, context) {
      const args = await admit(prepared, context)
      const known = introspections.find(args)
      if (known !== undefined) return known
      const result = await execute(args)
      return introspections.keep(args, result) ?? result
    },
    async subscribe(prepared, context) {
      const args = validateSubscriptionArgs(await admit(prepared, context))
      if (!('schema' in args)) return { errors: args }
      const events = await createSourceEventStream(args)
      return Symbol.asyncIterator in events ? { events, args } : events
    },
  }
}

/** What the client reads of one event. */
export const resultOfEvent = (args: ValidatedSubscriptionArgs, event: unknown) =>
  executeSubscriptionEvent({ ...args, rootValue: event })
