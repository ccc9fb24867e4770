import type { GraphQLSchema } from 'graphql'
import { account } from './account/profile/model.ts'
import { invoke } from './define/invoke.ts'
import { features, graphOperations } from './features.ts'
import { addAccountFields, addOperations } from './graph/add-operations.ts'
import { createBuilder } from './graph/builder.ts'
import type { AccountRef } from './graph/graph-feature.ts'
import { runOncePerDocument } from './graph/once-per-document.ts'
import { createTypeMapper } from './graph/shape-to-type.ts'

/** The GraphQL schema: a field per operation and the features' own. `runEach` may wrap `invoke`, to measure it. */
export function buildGraph(runEach: typeof invoke = invoke): GraphQLSchema {
  const run = runOncePerDocument(runEach)
  const builder = createBuilder()
  const types = createTypeMapper(builder)
  for (const { nodes } of features) nodes?.(builder, types, { run })
  const common = { run, account: types.output(account, 'Account').type as unknown as AccountRef }
  const tools = { ...common, payloads: addOperations(builder, types, graphOperations, common) }
  addAccountFields(builder, types, graphOperations, tools)
  for (const { graph } of features) graph?.(builder, types, tools)
  return builder.toSchema()
}
