import type { invoke } from '../define/invoke.ts'
import type { GraphBuilder } from './builder.ts'
import type { TypeMapper } from './shape-to-type.ts'

/** The account that a field of `Account` belongs to; what it asks for is checked as by REST. */
export interface AccountNode {
  accountId: string
}

/** The type that the builder has for accounts. */
export type AccountRef =
  GraphBuilder extends PothosSchemaTypes.SchemaBuilder<infer Types>
    ? PothosSchemaTypes.ObjectRef<Types, AccountNode>
    : never

export interface GraphTools {
  /** Runs an operation: nested fields use it, so that access, limits and validation are those of the operation. */
  run: typeof invoke
  /** The type `Account`, for `builder.objectField(account, …)`. */
  account: AccountRef
}

/** Fields that a feature offers to GraphQL clients only. */
export type GraphFeature = (builder: GraphBuilder, types: TypeMapper, tools: GraphTools) => void
