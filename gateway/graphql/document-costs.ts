import { complexityFromQuery } from '@pothos/plugin-complexity'
import {
  getVariableValues,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { LIMITS } from '../../schema/graph/builder.ts'
import { queryTooLarge } from '../../schema/define/graph-errors.ts'

/** Depth, breadth and complexity of an operation. */
type DocumentCost = ReturnType<typeof complexityFromQuery>

/**
 * Creates the measure of operations. For most documents it depends only on the document, and is computed once.
 *
 * @returns A function that throws the first error of the variables, if any.
 */
export function createDocumentCosts() {
  const fixed = new WeakMap<OperationDefinitionNode, DocumentCost>()
  const varying = new WeakSet<DocumentNode>()

  return (
    { schema, document, variableValues }: ExecutionArgs,
    operation: OperationDefinitionNode,
  ): DocumentCost => {
    const known = fixed.get(operation)
    if (known) {
      const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], { ...variableValues })
      if (errors?.[0]) throw errors[0]
      return known
    }
    const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
    const cost = complexityFromQuery(
      { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] },
      { schema, variables: { ...variableValues }, ctx: {} },
    )
    if (!varying.has(document)) {
      if (dependsOnArguments(schema, document)) varying.add(document)
      else fixed.set(operation, cost)
    }
    return cost
  }
}

/** True if the cost of some field of the document depends on its arguments. */
function dependsOnArguments(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema)
  let isFound = false
  visit(
    document,
    visitWithTypeInfo(types, {
      Field() {
        isFound ||= typeof types.getFieldDef()?.extensions['complexity'] === 'function'
      },
    }),
  )
  return isFound
}

/** @throws ServiceError QUERY_TOO_LARGE above the limits of one request. */
export function checkDocumentCost(cost: DocumentCost): void {
  for (const measure of ['depth', 'breadth', 'complexity'] as const)
    if (cost[measure] > LIMITS[measure]) throw queryTooLarge(`The query exceeds the limit of ${measure}`)
}
