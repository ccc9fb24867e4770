import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import DataloaderPlugin from '@pothos/plugin-dataloader'
import RelayPlugin from '@pothos/plugin-relay'
import { GraphQLError } from 'graphql'
import type { OperationContext } from '../define/context.ts'
import type { GraphScalar } from '../define/graph-scalars.ts'
import { createNodeNames, type NodeNames } from './node-names.ts'
import { operationComplexity } from './operation-complexity.ts'
import { JSON_URL, readScalarText, SAFE_INTEGER_URL, TEXT_SCALARS, writeScalarText } from './text-scalars.ts'

type TextScalars = { [Name in GraphScalar]: { Input: string; Output: string | number | bigint } }

interface GraphTypes {
  Context: OperationContext
  Scalars: TextScalars & {
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

/** The parts of plugin-relay: `Node`, `node`, `nodes`, connections and `PageInfo`. */
const relay = {
  nodeTypeOptions: { description: 'An object with an id that is the same in every answer.' },
  idFieldOptions: { description: 'Opaque id for `node` and caches.' },
  nodeQueryOptions: {
    description:
      'The object with this id; null if there is none, or if it belongs to another account than the token’s.',
    complexity: { field: operationComplexity().field },
    args: { id: { description: '`id` of an earlier answer.' } },
  },
  nodesQueryOptions: {
    description:
      'The objects with these ids, in their order; null as for `node`. Each id costs as much as one `node`.',
    complexity: ({ ids }: { ids: readonly unknown[] }) => ({
      field: operationComplexity().field * Math.max(1, ids.length),
      multiplier: Math.max(1, ids.length),
    }),
    args: { ids: { description: 'Each the `id` of an earlier answer.' } },
  },
  nodesOnConnection: { description: 'The objects of this page, without their cursors.' },
  pageInfoTypeOptions: { description: 'Whether other pages exist, and the cursors to them.' },
  pageInfoFieldOptions: { description: 'Whether other pages exist, and the cursors to them.' },
  hasNextPageFieldOptions: { description: 'Whether another page follows.' },
  hasPreviousPageFieldOptions: { description: 'Whether a page comes before; false if that is not known.' },
  startCursorFieldOptions: { description: 'Cursor of the first object of this page; null if it is empty.' },
  endCursorFieldOptions: {
    description:
      'Cursor of the last object of this page: pass it as `after` for the next page. Null if the list is empty.',
  },
  edgesFieldOptions: { nullable: false, description: 'The objects of this page with their cursors.' },
  nodeFieldOptions: { nullable: false, description: 'The object itself.' },
  firstArgOptions: { description: 'Number of objects, from the beginning.' },
  lastArgOptions: { description: 'Number of objects, from the end.' },
  beforeArgOptions: { description: '`startCursor` of the page after, or the `cursor` of an edge.' },
  afterArgOptions: { description: '`endCursor` of the page before, or the `cursor` of an edge.' },
  cursorFieldOptions: { description: 'Place of the object in the list, for `after`.' },
} as const

/** An empty schema with the API's scalars and limits; operations and features add their fields. */
export function createBuilder() {
  const names = createNodeNames()
  const builder = new SchemaBuilder<GraphTypes>({
    plugins: [ComplexityPlugin, RelayPlugin, DataloaderPlugin],
    relay: { ...relay, encodeGlobalID: names.encode, decodeGlobalID: names.decode } as never,
    complexity: {
      // The plugin would measure each request again.
      disabled: true,
      defaultListMultiplier: LIST_MULTIPLIER,
    },
  })
  for (const [name, terms] of Object.entries(TEXT_SCALARS))
    builder.scalarType(name as GraphScalar, {
      ...terms,
      serialize: writeScalarText,
      parseValue: readScalarText,
    })
  builder.scalarType('SafeInt', {
    specifiedByURL: SAFE_INTEGER_URL,
    description:
      'An integer that a double holds exactly (up to 2^53 − 1 either way): chain ids, times, counts.',
    serialize: demandSafeInteger,
    parseValue: demandSafeInteger,
  })
  builder.scalarType('JSON', {
    description: 'Any JSON value.',
    specifiedByURL: JSON_URL,
    serialize: (value) => value,
  })
  namesOf.set(builder, names)
  builder.queryType({ description: 'All reads of the API, as by REST.' })
  builder.mutationType({ description: 'All changes by the API, as by REST.' })
  builder.subscriptionType({ description: 'Events as they happen, as server-sent events.' })
  return builder
}

const namesOf = new WeakMap<object, NodeNames>()

/** The names of a builder's nodes in ids. */
export function nodeNamesOf(builder: GraphBuilder): NodeNames {
  const names = namesOf.get(builder)
  if (!names) throw new Error('createBuilder did not make this builder')
  return names
}

export type GraphBuilder = ReturnType<typeof createBuilder>

function demandSafeInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new GraphQLError('SafeInt expects an integer between −(2^53 − 1) and 2^53 − 1')
}
