import type { GraphBuilder } from './builder.ts'
import type { TypeMapper } from './shape-to-type.ts'

/** Fields that a feature offers to GraphQL clients only. */
export type GraphFeature = (builder: GraphBuilder, types: TypeMapper) => void
