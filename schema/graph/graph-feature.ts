import type { invoke } from '../define/invoke.ts'
import type { GraphBuilder } from './builder.ts'
import type { PayloadRef } from './payloads.ts'
import type { TypeMapper } from './shape-to-type.ts'

/** The account that a field of `Account` belongs to; access is checked as by REST. */
export interface AccountNode {
  accountId: string
}

/** The type that the builder has for accounts. */
export type AccountRef =
  GraphBuilder extends PothosSchemaTypes.SchemaBuilder<infer Types>
    ? PothosSchemaTypes.ObjectRef<Types, AccountNode>
    : never

export interface GraphTools {
  /** Runs an operation. Nested fields use it, so that the operation's access, limits and validation apply. */
  run: typeof invoke
  /** The type `Account`, for `builder.objectField(account, …)`. */
  account: AccountRef
  /** The types of payloads by the names of mutations, for the ids of what a mutation changed. */
  payloads: ReadonlyMap<string, PayloadRef>
}

/** Fields that a feature offers only by GraphQL. */
export type GraphFeature = (builder: GraphBuilder, types: TypeMapper, tools: GraphTools) => void

/** The types of a feature that are nodes; other types refer to them, so that they are made before all others. */
export type GraphNodes = (builder: GraphBuilder, types: TypeMapper, tools: Pick<GraphTools, 'run'>) => void
