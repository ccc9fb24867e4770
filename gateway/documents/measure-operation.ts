import { complexityFromQuery } from '@pothos/plugin-complexity'
import { getVariableValues, Kind, type ExecutionArgs, type OperationDefinitionNode } from 'graphql'
import { LIMITS } from '../../schema/graph/builder.ts'
import { queryTooLarge } from '../../schema/define/graph-errors.ts'

/** Depth, breadth and complexity of an operation. */
export type DocumentCost = ReturnType<typeof complexityFromQuery>

/**
 * Measures an operation without the others of its document.
 * @param hideSuggestions For a hidden schema: an error about a variable names no similar members.
 * @throws The first error of the variables, if any.
 */
export function measureOperation(
  { schema, document, variableValues }: ExecutionArgs,
  operation: OperationDefinitionNode,
  hideSuggestions: boolean,
): DocumentCost {
  // The plugin would make an error of each of thousands of wrong values.
  const options = { maxErrors: 1, hideSuggestions }
  const { errors } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    variableValues ?? {},
    options,
  )
  if (errors?.[0]) throw errors[0]
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  return complexityFromQuery(
    { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] },
    { schema, variables: { ...variableValues }, ctx: {} },
  )
}

/** @throws ServiceError QUERY_TOO_LARGE above the limits of one request. */
export function checkDocumentCost(cost: DocumentCost): void {
  for (const measure of ['depth', 'breadth', 'complexity'] as const)
    if (cost[measure] > LIMITS[measure])
      throw queryTooLarge(
        `The query has a ${measure} of ${cost[measure]}, and ${LIMITS[measure]} is the limit`,
      )
}
