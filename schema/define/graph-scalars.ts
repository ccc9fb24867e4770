import type { z } from 'zod'

/** A scalar of GraphQL for text of one form, or for numbers that REST writes as JSON. */
export type GraphScalar = 'Address' | 'Base64' | 'BigInt' | 'DateTime' | 'Decimal' | 'Hash' | 'Hex' | 'UUID'

const scalars = new WeakMap<z.core.$ZodType, GraphScalar>()

/** Names the scalar of a schema, and of every schema made from it by further checks. REST does not change. */
export function asScalar<Schema extends z.core.$ZodType>(scalar: GraphScalar, schema: Schema): Schema {
  scalars.set(schema, scalar)
  return schema
}

/** The scalars of zod's own formats. */
const OF_FORMAT: Readonly<Record<string, GraphScalar>> = {
  uuid: 'UUID',
  datetime: 'DateTime',
  base64: 'Base64',
}

/** The scalar of a schema without wrappers; undefined for one of GraphQL's own types. */
export function scalarOf(schema: z.core.$ZodType): GraphScalar | undefined {
  for (let at: z.core.$ZodType | undefined = schema; at; at = at._zod.parent) {
    const scalar = scalars.get(at)
    if (scalar) return scalar
  }
  const { format } = schema._zod.def as { format?: string }
  return format === undefined ? undefined : OF_FORMAT[format]
}
