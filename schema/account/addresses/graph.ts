import type { z } from 'zod'
import { addNode, type NodeRef } from '../../graph/add-node.ts'
import {
  connectionOf,
  pageArguments,
  pageComplexity,
  readConnection,
  totalCount,
  type PageArguments,
} from '../../graph/connections.ts'
import { selects } from '../../graph/selects.ts'
import { describe } from '../../graph/shape-to-type.ts'
import type { GraphFeature, GraphNodes } from '../../graph/graph-feature.ts'
import { operationNamed } from '../../graph/operation-named.ts'
import { addressesQuery, ownedAddress, type addressPage } from './model.ts'
import { addressOperations } from './operations.ts'

/** Largest page of addresses. */
const MOST = 500

/** `StealthAddress`, a one-time address, is a node of its account. */
export const addAddressNodes: GraphNodes = (builder, types, { run }) => {
  const browse = operationNamed(addressOperations, 'addresses')
  addNode(builder, types, ownedAddress, {
    name: 'StealthAddress',
    keyOf: ({ address }) => address,
    loadOwn: (accountId, keys, context) =>
      Promise.all(
        keys.map(async (address) => {
          const page = await run(browse, { path: { accountId }, query: { address } }, context)
          return (page as z.input<typeof addressPage>).items[0] ?? null
        }),
      ),
  })
}

const { address, activity, hasBalance, usedWithApps } = addressesQuery.shape
/** Filters of the connection. */
const filters = { address, activity, hasBalance, usedWithApps }

/** The account's one-time addresses. */
export const addAddressGraph: GraphFeature = (builder, types, { run, account }) => {
  const browse = operationNamed(addressOperations, 'addresses')
  const connection = connectionOf(builder, types.output(ownedAddress, 'StealthAddress').type as NodeRef, {
    name: 'StealthAddress',
    of: 'the account’s one-time addresses, the oldest first',
    fields: totalCount,
  })
  builder.objectField(account, 'addresses', (t) =>
    t.field({
      type: connection as never,
      nullable: true,
      description: 'The account’s one-time addresses, oldest first.',
      args: {
        ...pageArguments(t as never, MOST),
        ...Object.fromEntries(
          Object.entries(filters).map(([name, filter]) => [
            name,
            t.arg({ ...describe(filter), type: types.input(filter, name).type as never }),
          ]),
        ),
      },
      complexity: pageComplexity,
      async resolve({ accountId }, { first, after, ...given }: Record<string, unknown>, context, info) {
        const chosen = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
        const includeSummary = selects(info, 'summary')
        const read = await readConnection({ first, after } as PageArguments, MOST, async (limit, cursor) => {
          const query = {
            ...Object.fromEntries(chosen),
            includeSummary,
            limit,
            ...(cursor && { cursor }),
          }
          const page = await run(browse, { path: { accountId }, query }, context)
          return page as z.input<typeof addressPage>
        })
        return { ...read, totalCount: read.page.total } as never
      },
    }),
  )
}
