import type { GraphBuilder } from '../graph/builder.ts'
import type { TypeMapper } from '../graph/shape-to-type.ts'
import { supportedChain } from './operations.ts'

/** Adds `chain` to a type whose values have a `chainId`. The chains of one answer are looked up once. */
export function addChainEdge(builder: GraphBuilder, types: TypeMapper, ref: unknown): void {
  builder.objectField(ref as never, 'chain', (t) =>
    t.field({
      type: types.output(supportedChain, 'Chain').type as never,
      nullable: true,
      description: 'The chain; null for one that is served no more.',
      resolve: (value) => String((value as { chainId: number }).chainId) as never,
    }),
  )
}
