import { resolveArrayConnection, type DefaultConnectionArguments } from '@pothos/plugin-relay'
import { badRequest } from '../../relayer/errors.ts'
import { operationComplexity } from './operation-complexity.ts'
import type { GraphBuilder } from './builder.ts'
import type { NodeRef } from './add-node.ts'
import { paceList } from './pace-list.ts'

/** Arguments of a connection that is paged forward. */
export interface PageArguments {
  first?: number | null | undefined
  after?: string | null | undefined
}

/** A page as an operation answers it. */
export interface ReadPage<Value> {
  items: readonly Value[]
  /** Null after the last page. */
  nextCursor: string | null
}

/** A page of a connection, as plugin-relay has it. */
export interface ConnectionPage<Value> {
  edges: readonly { cursor: string; node: Value }[]
  pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}

const FIRST = 50

/** `first` and `after` of a connection. @param most Largest page. */
export const pageArguments = (
  t: { arg: { int(options: object): never; string(options: object): never } },
  most: number,
): { first: never; after: never } => ({
  first: t.arg.int({ defaultValue: FIRST, description: `Things of a page, 1 to ${most}.` }),
  after: t.arg.string({ description: '`endCursor` of the page before, or the `cursor` of an edge.' }),
})

/** Largest page of a list that an operation answers as a whole. */
const MOST_OF_LIST = 500

/** A page of a list that an operation answers as a whole; forward or backward. */
export const pageOfList = <Value>(args: DefaultConnectionArguments, list: readonly Value[]) => ({
  ...resolveArrayConnection({ args, defaultSize: MOST_OF_LIST, maxSize: MOST_OF_LIST }, [...list]),
  totalCount: list.length,
})

/** The number of all things of a connection, as a field. */
export const totalCount = (t: { field(options: object): unknown }) => ({
  totalCount: t.field({
    type: 'SafeInt',
    nullable: false,
    description: 'How many there are on all pages.',
    resolve: (page: { totalCount: number }) => page.totalCount,
  }),
})

/** Cost of a connection, by the things that it is asked for. */
export const pageComplexity = ({ first, last }: PageArguments & { last?: number | null | undefined }) =>
  operationComplexity(Math.max(first ?? 0, last ?? 0) || FIRST)

/**
 * Reads a page of an operation that has a cursor for each page, and gives each item a cursor. It is the cursor at which
 * the page began, and the number of items to skip after it.
 * @throws ServiceError `bad-request` BAD_REQUEST for an invalid `first` or `after`.
 */
export async function readConnection<Value, Page extends ReadPage<Value>>(
  { first, after }: PageArguments,
  most: number,
  read: (limit: number, cursor: string | null) => Promise<Page>,
): Promise<ConnectionPage<Value> & { page: Page }> {
  const wanted = first ?? FIRST
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > most)
    throw badRequest(`first: expected 1 to ${most}`)
  const [, skipped, before] = /^(\d{1,4})\.(.*)$/.exec(after ?? '0.') ?? []
  const skip = Number(skipped)
  if (before === undefined || skip > most)
    throw badRequest('after: expected the endCursor of an earlier page')
  const page = await read(Math.min(wanted + skip, most), before || null)
  const { nextCursor } = page
  const items = page.items.slice(skip)
  const cursors = items.map((_, at) => `${skip + at + 1}.${before}`)
  // After the last item comes the operation's next page.
  if (nextCursor !== null) cursors[Math.max(0, items.length - 1)] = `0.${nextCursor}`
  return {
    page,
    edges: items.map((node, at) => ({ cursor: cursors[at] ?? '', node })),
    pageInfo: {
      hasNextPage: nextCursor !== null,
      hasPreviousPage: false,
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? after ?? null,
    },
  }
}

/** The type of a connection and of its edges. @param terms Fields beyond those of every connection, and of every edge. */
export function connectionOf(
  builder: GraphBuilder,
  type: NodeRef | { name: string },
  terms: { name: string; of: string; fields?: (t: never) => object; edgeFields?: (t: never) => object },
) {
  const { name, of, fields, edgeFields } = terms
  return builder.connectionObject(
    {
      type: type as never,
      name: `${name}Connection`,
      description: `A page of ${of}.`,
      edgesField: { resolve: ({ edges }: { edges: unknown }) => paceList(edges) as never } as never,
      ...(fields && { fields: fields as never }),
    } as never,
    {
      name: `${name}Edge`,
      description: `One of ${of}, with its place.`,
      ...(edgeFields && { fields: edgeFields as never }),
    },
  )
}
