import type { z } from 'zod'
import { addChainEdge } from '../../chain/add-chain-edge.ts'
import { addNode, type NodeRef } from '../../graph/add-node.ts'
import type { GraphFeature, GraphNodes } from '../../graph/graph-feature.ts'
import { operationNamed } from '../../graph/operation-named.ts'
import { token } from '../../market/tokens/model.ts'
import { poolOperations, supportedPool } from './operations.ts'

type Pool = z.input<typeof supportedPool>

/** `Pool` is a node. Some pools are shown only to accounts that have their feature. */
export const addPoolNodes: GraphNodes = (builder, types, { run }) => {
  const list = operationNamed(poolOperations, 'supportedPools')
  const keyOf = ({ chainId, poolAddress }: Pool) => `${chainId}:${poolAddress}`
  addNode(builder, types, supportedPool, {
    name: 'Pool',
    keyOf,
    async load(keys, context) {
      const pools = (await run(list, {}, context)) as Pool[]
      return keys.map((key) => pools.find((pool) => keyOf(pool) === key) ?? null)
    },
  })
}

/** The chain and the asset of a pool. */
export const addPoolGraph: GraphFeature = (builder, types) => {
  const pool = types.output(supportedPool, 'Pool').type as NodeRef
  addChainEdge(builder, types, pool)
  builder.objectField(pool as never, 'asset', (t) =>
    t.field({
      type: types.output(token, 'Token').type as never,
      nullable: true,
      description: 'The token; null where it is not known.',
      resolve: (value) => {
        const { chainId, token: address } = value as unknown as Pool
        return `${chainId}:${address}` as never
      },
    }),
  )
}
