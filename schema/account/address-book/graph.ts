import type { z } from 'zod'
import { addNode, type NodeRef } from '../../graph/add-node.ts'
import { connectionOf, pageComplexity, pageOfList, totalCount } from '../../graph/connections.ts'
import type { GraphFeature, GraphNodes } from '../../graph/graph-feature.ts'
import { operationNamed } from '../../graph/operation-named.ts'
import { contact, type contactList } from './model.ts'
import { addressBookOperations } from './operations.ts'

/** `Contact` is a node of its account. */
export const addContactNodes: GraphNodes = (builder, types, { run }) => {
  const list = operationNamed(addressBookOperations, 'addressBook')
  addNode(builder, types, contact, {
    keyOf: ({ address }) => address,
    async loadOwn(accountId, keys, context) {
      const { entries } = (await run(list, { path: { accountId } }, context)) as z.input<typeof contactList>
      return keys.map((key) => entries.find(({ address }) => address === key) ?? null)
    },
  })
}

/** The account's contacts. */
export const addContactGraph: GraphFeature = (builder, types, { run, account }) => {
  const list = operationNamed(addressBookOperations, 'addressBook')
  const connection = connectionOf(builder, types.output(contact, 'Contact').type as NodeRef, {
    name: 'Contact',
    of: 'the account’s contacts',
    fields: totalCount,
  })
  builder.objectField(account, 'contacts', (t) =>
    t.field({
      type: connection as never,
      nullable: true,
      description: 'The most recently paid first, then those never paid, from the newest.',
      args: t.arg.connectionArgs(),
      complexity: pageComplexity,
      resolve: async ({ accountId }, args, context) => {
        const { entries } = (await run(list, { path: { accountId } }, context)) as z.input<typeof contactList>
        return pageOfList(args, entries) as never
      },
    }),
  )
}
