import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import { GraphQLError } from 'graphql'
import type { OperationContext } from '../define/context.ts'

interface GraphTypes {
  Context: OperationContext
  Scalars: {
    ID: { Input: string; Output: string }
    SafeInt: { Input: number; Output: number }
    JSON: { Input: unknown; Output: unknown }
  }
}

/**
 * Limits of one GraphQL request, which the gateway compares with a document before it runs. `breadth` counts every
 * selected field, aliases included. `complexity` counts the same fields, and those below a list three times. Code
 * generators select all fields: an account with every field below it has a breadth of over a thousand, and must be
 * allowed.
 */
export const LIMITS = { depth: 12, breadth: 1_500, complexity: 45_000 }
/** The highest complexity that is allowed. */
export const MOST_COMPLEXITY = LIMITS.complexity
const LIST_MULTIPLIER = 3

/** An empty schema with the API's scalars and limits; operations and features add their fields. */
export function createBuilder() {
  const builder = new SchemaBuilder<GraphTypes>({
    plugins: [ComplexityPlugin],
    complexity: {
      // The plugin would measure each request again.
      disabled: true,
      defaultListMultiplier: LIST_MULTIPLIER,
    },
  })
  builder.scalarType('SafeInt', {
    description:
      'An integer that a double holds exactly (up to 2^53 − 1 either way): chain ids, times, counts.',
    serialize: demandSafeInteger,
    parseValue: demandSafeInteger,
  })
  builder.scalarType('JSON', { description: 'Any JSON value.', serialize: (value) => value })
  builder.queryType({ description: 'Whatever can be asked; the same as by REST.' })
  builder.mutationType({ description: 'Whatever changes something; the same as by REST.' })
  builder.subscriptionType({ description: 'What clients are told as it happens, as server-sent events.' })
  return builder
}

export type GraphBuilder = ReturnType<typeof createBuilder>

function demandSafeInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new GraphQLError('SafeInt expects an integer between −(2^53 − 1) and 2^53 − 1')
}
