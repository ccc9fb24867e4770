import type { GraphBuilder } from './builder.ts'

/** End of a page of a connection. */
export interface PageEnd {
  hasNextPage: boolean
  /** Null after the last page. */
  endCursor: string | null
}

const made = new WeakMap<GraphBuilder, ReturnType<typeof make>>()

/** The type of a page's end: one for all connections of a schema. */
export function pageInfoOf(builder: GraphBuilder) {
  const known = made.get(builder)
  if (known) return known
  const type = make(builder)
  made.set(builder, type)
  return type
}

const make = (builder: GraphBuilder) =>
  builder.objectRef<PageEnd>('PageInfo').implement({
    description: 'Whether more follows, and where.',
    fields: (t) => ({
      hasNextPage: t.exposeBoolean('hasNextPage', {
        nullable: false,
        description: 'Whether another page follows.',
      }),
      endCursor: t.exposeString('endCursor', {
        nullable: true,
        description: 'Give it as `after` for the next page; null after the last.',
      }),
    }),
  })
