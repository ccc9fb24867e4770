import type { GraphQLSchema } from 'graphql'
import { invoke } from '../invoke.ts'
import { operations } from '../operations.ts'
import { addRelayerGraph } from '../relayer/graph.ts'
import { addOperations } from './add-operations.ts'
import { createBuilder } from './builder.ts'
import type { GraphFeature } from './graph-feature.ts'
import { createTypeMapper } from './shape-to-type.ts'

const features: readonly GraphFeature[] = [addRelayerGraph]

/** The GraphQL schema: a field per operation and the features' own. `run` may wrap `invoke`, to measure it. */
export function buildGraph(run: typeof invoke = invoke): GraphQLSchema {
  const builder = createBuilder()
  const types = createTypeMapper(builder)
  addOperations(builder, types, operations, run)
  for (const addFeature of features) addFeature(builder, types)
  return builder.toSchema()
}
