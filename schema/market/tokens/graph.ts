import type { z } from 'zod'
import { addChainEdge } from '../../chain/add-chain-edge.ts'
import { addNode, orNothing, type NodeRef } from '../../graph/add-node.ts'
import { connectionOf, pageComplexity, pageOfList, totalCount } from '../../graph/connections.ts'
import type { GraphFeature, GraphNodes } from '../../graph/graph-feature.ts'
import { operationNamed } from '../../graph/operation-named.ts'
import { includeQuery, token } from './model.ts'
import { tokenOperations } from './operations.ts'

type Token = z.input<typeof token>

/** `Token` is a node. A lookup does not reveal whether anybody holds the token. */
export const addTokenNodes: GraphNodes = (builder, types, { run }) => {
  const lookUp = operationNamed(tokenOperations, 'tokenLookup')
  addNode(builder, types, token, {
    keyOf: ({ chainId, address }) => `${chainId}:${address}`,
    load: (keys, context) =>
      Promise.all(
        keys.map((key) => {
          const [chainId, address] = key.split(':')
          const query = { chainId: Number(chainId), address }
          return orNothing(run(lookUp, { query }, context) as Promise<Token>)
        }),
      ),
  })
}

/** The chain of a token, and the account's tokens. */
export const addTokenGraph: GraphFeature = (builder, types, { run, account }) => {
  const ref = types.output(token, 'Token').type as NodeRef
  addChainEdge(builder, types, ref)
  const list = operationNamed(tokenOperations, 'accountTokens')
  const connection = connectionOf(builder, ref, {
    name: 'Token',
    of: 'the account’s tokens',
    fields: totalCount,
  })
  builder.objectField(account, 'tokens', (t) =>
    t.field({
      type: connection as never,
      nullable: true,
      description:
        'The tokens that the account added, in the order of their addition, then those that its addresses hold.',
      args: {
        ...t.arg.connectionArgs(),
        include: t.arg({
          type: types.input(includeQuery.shape.include, 'TokenInclude').type as never,
          description: 'More members of each token.',
        }),
      },
      complexity: pageComplexity,
      resolve: async ({ accountId }, { include, ...args }, context) => {
        const query = include ? { include } : {}
        const { tokens } = (await run(list, { path: { accountId }, query }, context)) as { tokens: Token[] }
        return pageOfList(args, tokens) as never
      },
    }),
  )
}
