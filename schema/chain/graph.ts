import type { z } from 'zod'
import { addNode } from '../graph/add-node.ts'
import type { GraphNodes } from '../graph/graph-feature.ts'
import { operationNamed } from '../graph/operation-named.ts'
import { chainOperations, supportedChain } from './operations.ts'

type Chain = z.input<typeof supportedChain>

/** `Chain` is a node. */
export const addChainNodes: GraphNodes = (builder, types, { run }) => {
  const list = operationNamed(chainOperations, 'supportedChains')
  addNode(builder, types, supportedChain, {
    name: 'Chain',
    keyOf: ({ chainId }) => String(chainId),
    async load(keys, context) {
      const chains = (await run(list, {}, context)) as Chain[]
      return keys.map((key) => chains.find(({ chainId }) => String(chainId) === key) ?? null)
    },
  })
}
