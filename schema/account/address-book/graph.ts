import { checksumAddress, type Address } from 'viem'
import type { z } from 'zod'
import { addChangedId } from '../../graph/add-changed-id.ts'
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
export const addContactGraph: GraphFeature = (builder, types, tools) => {
  const { run, account } = tools
  const list = operationNamed(addressBookOperations, 'addressBook')
  const connection = connectionOf(builder, types.output(contact, 'Contact').type as NodeRef, {
    name: 'Contact',
    of: 'the account’s contacts',
    fields: totalCount,
  })
  addChangedId(builder, tools, {
    mutation: 'deleteContact',
    field: 'contactId',
    typename: 'Contact',
    description: '`id` of the contact that is gone; null where there was none.',
    keyOf: ({ deleted, given }) => (deleted === true ? checksumAddress(given['address'] as Address) : null),
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
