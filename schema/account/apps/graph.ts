import { z } from 'zod'
import { accountPath } from '../../define/account-operation.ts'
import type { InputOf } from '../../define/operation.ts'
import type { RunContext } from '../../define/context.ts'
import { moment } from '../../define/scalars.ts'
import { described, parameters } from '../../define/shape.ts'
import { addNode, type NodeRef } from '../../graph/add-node.ts'
import {
  connectionOf,
  pageArguments,
  pageComplexity,
  readConnection,
  type PageArguments,
  type ReadPage,
} from '../../graph/connections.ts'
import type { GraphFeature, GraphNodes } from '../../graph/graph-feature.ts'
import { operationNamed, withAnswer } from '../../graph/operation-named.ts'
import { dappAddressesQuery } from '../addresses/model.ts'
import { addressOperations } from '../addresses/operations.ts'
import { knownApp } from './operations.ts'

/** Largest page of apps. */
const MOST = 500
const LONGEST_ORIGIN = 255

const list = operationNamed(addressOperations, 'dappAddresses')

const originsInput = {
  path: accountPath,
  query: parameters({
    origins: described(z.array(z.string().max(LONGEST_ORIGIN)).max(MOST), 'Origins of apps.'),
  }),
}
const facts = z.array(knownApp)

/** The facts about apps, by the limits of the list of them. */
const readFacts = withAnswer(list, {
  input: originsInput,
  output: facts,
  run: async ({ query }: InputOf<typeof originsInput>, { services }: RunContext) =>
    query.origins.map((origin) => services.apps.describe(origin)),
})

const shown = z.object({ app: knownApp, address: z.string(), lastUsedAt: moment })
const page = z.object({ items: z.array(shown), hasMore: z.boolean() })
const pageInput = { path: accountPath, query: dappAddressesQuery }

/** The list with what is known of each app. */
const listFacts = withAnswer(list, {
  input: pageInput,
  output: page,
  async run({ path, query }: InputOf<typeof pageInput>, { services }: RunContext) {
    const { limit = MOST, offset = 0 } = query
    const { items, hasMore } = await services.addresses.listDappAddresses(path.accountId, { limit, offset })
    return {
      hasMore,
      items: items.map((item) => ({ ...item, app: services.apps.describe(item.app.origin) })),
    }
  },
})

/** An app of an answer, and its use. */
interface Shown {
  app: object
  address: string
  lastUsedAt: string
}

/** `App` is a node: what the operator knows of an origin. An account's id of it is its own. */
export const addAppNodes: GraphNodes = (builder, types, { run }) => {
  addNode(builder, types, knownApp, {
    name: 'App',
    keyOf: ({ origin }) => origin,
    async loadOwn(accountId, origins, context) {
      const read = await run(readFacts, { path: { accountId }, query: { origins } }, context)
      return read as z.input<typeof facts>
    },
  })
}

/** The apps that know an address of the account. */
export const addAppGraph: GraphFeature = (builder, types, { run, account }) => {
  const connection = connectionOf(builder, types.output(knownApp, 'App').type as NodeRef, {
    name: 'App',
    of: 'the apps that know an address of the account, the latest use first',
    edgeFields: (t: { field(options: object): unknown }) => ({
      address: t.field({
        type: 'Address',
        nullable: false,
        description: 'The account’s address that the app was shown.',
        resolve: ({ address }: Shown) => address,
      }),
      lastUsedAt: t.field({
        type: 'DateTime',
        nullable: false,
        description: 'When the app was last shown the address.',
        resolve: ({ lastUsedAt }: Shown) => lastUsedAt,
      }),
    }),
  })
  builder.objectField(account, 'apps', (t) =>
    t.field({
      type: connection as never,
      nullable: true,
      description: 'The apps that know an address of the account, the latest use first.',
      args: pageArguments(t as never, MOST),
      complexity: pageComplexity,
      async resolve({ accountId }, given: PageArguments, context) {
        const read = await readConnection<Shown, ReadPage<Shown>>(given, MOST, async (limit, cursor) => {
          const offset = Number(cursor ?? 0)
          const query = { limit, offset }
          const answer = await run(listFacts, { path: { accountId }, query }, context)
          const { items, hasMore } = answer as { items: Shown[]; hasMore: boolean }
          return { items, nextCursor: hasMore ? String(offset + items.length) : null }
        })
        const edges = read.edges.map(({ cursor, node: { app, ...use } }) => ({ cursor, node: app, ...use }))
        return { ...read, edges } as never
      },
    }),
  )
}
