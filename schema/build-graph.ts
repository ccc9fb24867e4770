import type { GraphQLSchema } from 'graphql'
import { account } from './account/profile/model.ts'
import { addActivityGraph } from './activity/graph.ts'
import { addHoldingsGraph } from './account/balances/graph.ts'
import { invoke } from './define/invoke.ts'
import { operations } from './operations.ts'
import { addRelayerGraph } from './pool/relay/graph.ts'
import { addTransactGraph } from './transact/graph.ts'
import { addSubmitGraph } from './transact/submit-graph.ts'
import { addAccountFields, addOperations } from './graph/add-operations.ts'
import { addViewer } from './add-viewer.ts'
import { createBuilder } from './graph/builder.ts'
import type { AccountRef, GraphFeature } from './graph/graph-feature.ts'
import { createTypeMapper } from './graph/shape-to-type.ts'

const features: readonly GraphFeature[] = [
  addViewer,
  addRelayerGraph,
  addHoldingsGraph,
  addActivityGraph,
  addTransactGraph,
  addSubmitGraph,
]

/** The GraphQL schema: a field per operation and the features' own. `run` may wrap `invoke`, to measure it. */
export function buildGraph(run: typeof invoke = invoke): GraphQLSchema {
  const builder = createBuilder()
  const types = createTypeMapper(builder)
  const tools = { run, account: types.output(account, 'Account').type as unknown as AccountRef }
  addOperations(builder, types, operations, run)
  addAccountFields(builder, types, operations, tools)
  for (const addFeature of features) addFeature(builder, types, tools)
  return builder.toSchema()
}
